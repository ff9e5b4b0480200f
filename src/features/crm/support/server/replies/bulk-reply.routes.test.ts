import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const support = '/admin/support'
const path = `${support}/bulk-reply`

/** Two tickets that get a reply, and one for each reason why a ticket gets none. */
async function withTickets() {
  const started = await startTestApp()
  const { as, db } = started
  const org = await enterOrganization(db)
  const enter = async (title: string, customer_user_id?: number) =>
    (
      await enterTicket(db, {
        title,
        ...(customer_user_id === undefined ? {} : { organization_id: org, customer_user_id }),
      })
    ).id
  const jana = await enterUser(db, org, 'Jana')
  const ids = [await enter('Tags', jana), await enter('Counts', await enterUser(db, org, 'Bert'))] as const
  const banned = await enter('Racks', await enterUser(db, org, 'Cleo', { banned_at: '2026-01-01T00:00:00Z' }))
  const silent = await enter('By phone')
  const bounced = await enter('Scanner', await enterUser(db, org, 'Dora', { email: 'Dora@gone.example' }))
  const softly = { kind: 'soft', error: 'mailbox full', mail_id: null } as const
  await db
    .insertInto('bounced_addresses')
    .values([
      {
        address: 'dora@gone.example',
        kind: 'hard',
        error: '550 no such user',
        marked_at: '2026-03-01T00:00:00Z',
      },
      // Control: an address that bounced softly still gets emails.
      { address: 'jana@example.com', ...softly },
    ])
    .execute()
  const merged = await enter('Tags again', jana)
  const trashed = await enter('Test', jana)
  await as('support').post(`${support}/ticket/${merged}/merge`, { into: ids[0] })
  await as('admin').send('DELETE', `${support}/ticket/${trashed}`)
  const find = (chosen: readonly number[]) => as('support').get(`${path}?ids=${chosen.join(',')}`)
  const reply = (ticket_ids: readonly number[], more: object = {}) =>
    as('support').post(path, { message: '<p>It is fixed.</p>', ticket_ids, ...more })
  const show = async (id: number) => (await as('support').get(`${support}/ticket/${id}`))['data']
  return { ...started, org, ids, banned, silent, bounced, merged, trashed, find, reply, show }
}

test('a reply to many tickets is for roles that can open tickets', async () => {
  const { as, ids } = await withTickets()
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    const refused = role === undefined ? 401 : 403
    const found = await as(role).get(`${path}?ids=${ids[0]}`)
    expect([role, found.status]).toEqual([role, may ? 200 : refused])
    const sent = await as(role).post(path, { message: '<p>Hi</p>', ticket_ids: [] })
    expect([role, sent.status]).toEqual([role, may ? 422 : refused])
    const seen = await as(role).post(`${path}-preview`, { message: '<p>Hi</p>', ticket_id: 9999 })
    expect([role, seen.status]).toEqual([role, may ? 422 : refused])
  }
})

test('tickets that a reply doesn’t reach are listed with the reason, left out, and named', async () => {
  const { db, ids, banned, silent, bounced, merged, trashed, find, reply, show } = await withTickets()
  const all = [...ids, banned, silent, bounced, merged, trashed]
  const found = await find([...all, 9999])
  expect(found).toMatchObject({ status: 200, is_on: false })
  expect(found['data'].map(({ id, why }: { id: number; why: unknown }) => [id, why])).toEqual([
    [ids[0], null],
    [ids[1], null],
    [banned, 'banned'],
    [silent, 'no address'],
    [bounced, 'bounced'],
    [merged, 'merged'],
    [trashed, 'in trash'],
  ])
  const sent = await reply([...all, ids[0], 9999], { status: 3 })
  expect(sent).toMatchObject({ status: 200, message: 'Sending 2 replies.' })
  expect(sent['data'].sent.map(({ id }: { id: number }) => id)).toEqual(ids)
  const left = new Map(
    sent['left_out'].map(({ id, title, why }: { id: number; title: string; why: string }) => [
      id,
      `${title}: ${why}`,
    ]),
  )
  expect(left).toEqual(
    new Map([
      [banned, 'Racks: The requester is banned.'],
      [silent, 'By phone: The requester has no email address.'],
      [bounced, 'Scanner: Emails to the requester’s address bounce.'],
      [merged, 'Tags again: It was merged into another ticket.'],
      [trashed, 'Test: It is in the trash.'],
      [9999, ': This ticket doesn’t exist.'],
    ]),
  )
  for (const id of ids) expect(await show(id)).toMatchObject({ status: 3 })
  expect(await show(silent)).toMatchObject({ status: 0, messages: [{ sent_by_admin: false }] })
  const mails = await db.selectFrom('mails').select('record_id').orderBy('record_id').execute()
  expect(mails).toEqual(ids.map((record_id) => ({ record_id })))
})

test('a reply to no ticket, to too many, or without a text is refused at its field', async () => {
  const { ids, silent, find, reply } = await withTickets()
  const many = Array.from({ length: 101 }, (_, at) => at + 1)
  const tooMany = ['Choose up to 100 tickets.']
  expect(await reply([])).toMatchObject({
    status: 422,
    errors: { ticket_ids: ['Choose at least one ticket.'] },
  })
  expect(await reply(many)).toMatchObject({ status: 422, errors: { ticket_ids: tooMany } })
  expect(await find(many)).toMatchObject({ status: 422, errors: { ids: tooMany } })
  expect(await reply(ids, { message: '<p> </p>' })).toMatchObject({
    status: 422,
    errors: { message: ['This field is required.'] },
  })
  expect(await reply([silent])).toMatchObject({
    status: 422,
    errors: { ticket_ids: ['The requester has no email address.'] },
  })
})

test('an unknown variable is refused at its text, also in the preview, and no one gets it', async () => {
  const { as, db, ids, reply } = await withTickets()
  const message = '<p>Hi {{firstname}} of {{organization}}.</p>'
  const wrong = ['{{firstname}} isn’t a variable of replies to several tickets.']
  expect(await reply(ids, { message })).toMatchObject({ status: 422, errors: { message: wrong } })
  const texts = [{ ticket_id: ids[1], message }]
  expect(await reply(ids, { texts })).toMatchObject({ status: 422, errors: { 'texts.0.message': wrong } })
  expect(await as('support').post(`${path}-preview`, { message, ticket_id: ids[0] })).toMatchObject({
    status: 422,
    errors: { message: wrong },
  })
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
})

test('tickets of another product are neither listed nor answered', async () => {
  const { as, db, ids, find, reply } = await withTickets()
  const other = await enterOrganization(db, { name: 'Other' }, [2])
  const user = await enterUser(db, other, 'Mateo')
  const foreign = (await enterTicket(db, { title: 'Secret', organization_id: other, customer_user_id: user }))
    .id
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('support').id)
    .where('product_id', '=', 2)
    .execute()
  const { data: found } = await find([ids[0], foreign])
  expect(found.map(({ id }: { id: number }) => id)).toEqual([ids[0]])
  expect(await reply([ids[0], foreign])).toMatchObject({
    message: 'Sending 1 reply.',
    left_out: [{ id: foreign, title: '', why: 'This ticket doesn’t exist.' }],
  })
  expect(
    await as('support').post(`${path}-preview`, { message: '<p>Hi</p>', ticket_id: foreign }),
  ).toMatchObject({ status: 422, errors: { ticket_id: ['This ticket doesn’t exist.'] } })
})

test('each ticket gets the email of a single reply, as previewed, with its values of the variables', async () => {
  const { as, db, ids, reply } = await withTickets()
  const mails = () =>
    db.selectFrom('mails').select(['record_id', 'subject', 'html', 'text']).orderBy('record_id').execute()
  const message = '<p>Hi {{first_name}}, about {{ticket_number}}.</p>'
  const previews: unknown[] = []
  for (const ticket_id of ids) {
    const { data } = await as('support').post(`${path}-preview`, { message, ticket_id, status: 4 })
    previews.push({ subject: data.subject, html: data.html })
  }
  expect((await reply(ids, { message, status: 4 })).message).toBe('Sending 2 replies.')
  const sent = await mails()
  expect(sent.map(({ subject, html }) => ({ subject, html }))).toEqual(previews)
  expect(sent[1]!.html).toContain(`Hi Bert, about #${ids[1]}.`)
  await db.deleteFrom('ticket_messages').where('mail_id', 'is not', null).execute()
  await db.deleteFrom('mails').execute()
  for (const [id, name] of [
    [ids[0], 'Jana'],
    [ids[1], 'Bert'],
  ] as const)
    await as('support').post(`${support}/sendReply/${id}`, {
      message: `<p>Hi ${name}, about #${id}.</p>`,
      status: 4,
    })
  expect(await mails()).toEqual(sent)
})

test('undoing the emails of a reply to many reverts each with its status', async () => {
  const { as, ids, reply, show } = await withTickets()
  const { data } = await reply(ids, { status: 3 })
  expect(data.undo_seconds).toBeGreaterThan(0)
  for (const { mail_id } of data.sent)
    expect((await as('support').post(`/admin/mail/${mail_id}/call-off`)).status).toBe(200)
  for (const id of ids) {
    const { status, messages } = await show(id)
    expect(status).toBe(0)
    expect(messages.some((one: { sent_by_admin: boolean }) => one.sent_by_admin)).toBe(false)
  }
})
