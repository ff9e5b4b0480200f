import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const support = '/admin/support'

async function withTickets() {
  const app = await startTestApp()
  const { as, db } = app
  const enter = async (title: string) => (await enterTicket(db, { title })).id
  const ids = [await enter('One'), await enter('Two'), await enter('Three')] as const
  const desk = as('support')
  const show = async (id: number) => (await desk.get(`${support}/ticket/${id}`))['data']
  const notesOf = async (id: number) =>
    ((await show(id)).comments as { support_comment: string }[]).map((one) => one.support_comment)
  const idsIn = async (query: string) =>
    ((await desk.get(`${support}/ticket?column=id&direction=asc&${query}`))['data'] as { id: number }[]).map(
      ({ id }) => id,
    )
  return { ...app, ids, desk, show, notesOf, idsIn }
}

test('a note is added to each selected ticket, as one operation that is undone and redone', async () => {
  const { desk, ids, notesOf, as } = await withTickets()
  await as('admin').send('DELETE', `${support}/ticket/${ids[2]}`)
  const reply = await desk.post(`${support}/note-tickets`, {
    support_comment: 'Known since Monday',
    ticket_ids: [...ids, 999_999],
  })
  expect(reply).toMatchObject({
    status: 200,
    message: 'Note added to 2 tickets.',
    left_out: [
      { id: ids[2], title: 'Three', why: 'It is in the trash.' },
      { id: 999_999, title: '', why: 'This ticket doesn’t exist.' },
    ],
  })
  const both = async () => [await notesOf(ids[0]), await notesOf(ids[1])]
  expect(await both()).toEqual([['Known since Monday'], ['Known since Monday']])
  const at = `/admin/operations/${reply['operation'].id}`
  expect((await desk.post(`${at}/undo`)).status).toBe(200)
  expect(await both()).toEqual([[], []])
  expect((await desk.post(`${at}/redo`)).status).toBe(200)
  expect(await both()).toEqual([['Known since Monday'], ['Known since Monday']])
})

test('a note that was edited meanwhile is not undone', async () => {
  const { desk, ids, notesOf, show } = await withTickets()
  const { operation } = await desk.post(`${support}/note-tickets`, {
    support_comment: 'Known',
    ticket_ids: [ids[0], ids[1]],
  })
  const [{ id }] = (await show(ids[0])).comments
  await desk.post(`${support}/ticket/${ids[0]}/comments/${id}`, { support_comment: 'Known since Monday' })
  expect((await desk.post(`/admin/operations/${operation.id}/undo`)).status).toBe(409)
  expect([await notesOf(ids[0]), await notesOf(ids[1])]).toEqual([['Known since Monday'], ['Known']])
})

test('a note for no ticket, or without words, is refused at its field', async () => {
  const { desk, ids } = await withTickets()
  expect(await desk.post(`${support}/note-tickets`, { support_comment: ' ', ticket_ids: [] })).toMatchObject({
    status: 422,
    errors: { support_comment: [expect.any(String)], ticket_ids: ['Choose at least one ticket.'] },
  })
  expect(
    await desk.post(`${support}/note-tickets`, { support_comment: 'x', ticket_ids: [999_999] }),
  ).toMatchObject({ status: 422, errors: { ticket_ids: ['This ticket doesn’t exist.'] } })
  // Control
  expect((await desk.post(`${support}/note-tickets`, { support_comment: 'x', ticket_ids: ids })).status).toBe(
    200,
  )
})

test('selected tickets are snoozed until a time, only for the user, and returned', async () => {
  const { desk, as, ids, idsIn } = await withTickets()
  await desk.post(`${support}/change-tickets`, {
    selection: { ids: [...ids] },
    change: { kind: 'assign', assignee_id: desk.id },
  })
  const snooze = (until: string | null, selection: object) =>
    desk.post(`${support}/snooze-tickets`, { until, selection })
  expect(await snooze('2026-03-16T09:59:00.000Z', { ids: [ids[0]] })).toMatchObject({
    status: 422,
    errors: { until: ['Choose a time in the future.'] },
  })
  expect(await snooze('2099-03-20T09:00:00.000Z', { ids: [ids[0], ids[1], 999_999] })).toMatchObject({
    status: 200,
    message: '2 tickets snoozed.',
    data: [ids[0], ids[1]],
  })
  expect(await idsIn('queue=mine')).toEqual([ids[2]])
  const other = await as('admin').get(`${support}/ticket/${ids[0]}`)
  expect(other['data'].is_snoozed).toBe(false)
  expect(await desk.post(`${support}/unsnooze-tickets`, { ids: [ids[0], ids[1]] })).toMatchObject({
    message: '2 tickets are back in your queues.',
  })
  expect(await idsIn('queue=mine')).toEqual([...ids])
  expect(await snooze(null, { filters: { search: 'two' }, total: 1 })).toMatchObject({
    message: '1 ticket snoozed until the customer writes.',
    data: [ids[1]],
  })
  expect((await snooze(null, { ids: [999_999] })).status).toBe(404)
})

test('the undo of a snooze restores an earlier one, unless the customer has written since', async () => {
  const { desk, db, ids } = await withTickets()
  const untilOf = async (id: number) =>
    (await db.selectFrom('ticket_snoozes').select('until').where('ticket_id', '=', id).execute()).map(
      ({ until }) => until && new Date(until).toISOString(),
    )
  const before = '2099-03-20T09:00:00.000Z'
  await desk.post(`${support}/ticket/${ids[0]}/snooze`, { until: before })
  await desk.post(`${support}/ticket/${ids[1]}/snooze`, { until: null })
  const many = await desk.post(`${support}/snooze-tickets`, {
    until: '2099-03-25T09:00:00.000Z',
    selection: { ids: [...ids] },
  })
  expect(many).toMatchObject({
    data: [...ids],
    earlier: [
      { id: ids[0], until: before },
      { id: ids[1], until: null },
    ],
  })
  const undo = { ids: many['data'], earlier: many['earlier'] }
  expect(await desk.post(`${support}/unsnooze-tickets`, undo)).toMatchObject({
    message: '1 ticket is back in your queues. 2 tickets snoozed as before.',
  })
  expect([await untilOf(ids[0]), await untilOf(ids[1]), await untilOf(ids[2])]).toEqual([
    [before],
    [null],
    [],
  ])
  // As when the customer writes.
  await db.deleteFrom('ticket_snoozes').where('ticket_id', '=', ids[0]).execute()
  await desk.post(`${support}/unsnooze-tickets`, undo)
  expect(await untilOf(ids[0])).toEqual([])
})

test('tickets of a product that the user doesn’t have are neither snoozed nor get a note', async () => {
  const { desk, db } = await withTickets()
  const organization_id = await enterOrganization(db, { name: 'Hidden' }, [2])
  await db.deleteFrom('staff_products').where('product_id', '=', 2).execute()
  const { id } = await enterTicket(db, { organization_id })
  expect(
    (await desk.post(`${support}/snooze-tickets`, { until: null, selection: { ids: [id] } })).status,
  ).toBe(404)
  expect(
    await desk.post(`${support}/note-tickets`, { support_comment: 'x', ticket_ids: [id] }),
  ).toMatchObject({
    status: 422,
    errors: { ticket_ids: ['This ticket doesn’t exist.'] },
  })
})

test('selected tickets are marked as spam and as not spam, each with Undo; the reason of a rule stays', async () => {
  const { desk, ids, db, idsIn, show } = await withTickets()
  const { name } = await db
    .selectFrom('staff')
    .select('name')
    .where('id', '=', desk.id)
    .executeTakeFirstOrThrow()
  await db.updateTable('tickets').set({ spam_reason: 'Rule 1' }).where('id', '=', ids[0]).execute()
  const mark = (spam: boolean) =>
    desk.post(`${support}/change-tickets`, {
      selection: { ids: [ids[0], ids[1]] },
      change: { kind: 'spam', spam },
    })
  const marked = await mark(true)
  expect(marked).toMatchObject({ status: 200, message: 'Marked as spam: 1 ticket.' })
  expect([(await show(ids[0])).spam_reason, (await show(ids[1])).spam_reason]).toEqual([
    'Rule 1',
    `Marked by ${name}`,
  ])
  expect(await idsIn('queue=spam')).toEqual([ids[0], ids[1]])
  await desk.post(`/admin/operations/${marked['operation'].id}/undo`)
  expect(await idsIn('queue=spam')).toEqual([ids[0]])
  await mark(true)
  expect(await mark(false)).toMatchObject({ message: 'Marked as not spam: 2 tickets.' })
  expect(await idsIn('')).toEqual([...ids])
})

test('notes and snoozes of selected tickets are for roles that can open tickets', async () => {
  const { as, ids } = await withTickets()
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    for (const [path, body] of [
      ['note-tickets', { support_comment: 'x', ticket_ids: [ids[0]] }],
      ['snooze-tickets', { until: null, selection: { ids: [ids[0]] } }],
      ['unsnooze-tickets', { ids: [ids[0]] }],
    ] as const) {
      const { status } = await as(role).post(`${support}/${path}`, body)
      expect(status, `${path} ${role}`).toBe(may ? 200 : role === undefined ? 401 : 403)
    }
  }
})
