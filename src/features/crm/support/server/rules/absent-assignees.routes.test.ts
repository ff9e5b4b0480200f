import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { receiveRaw } from '#server/inbound/receive-raw.ts'

const [waiting, resolved, closed] = [3, 4, 5]

const leave = ({ db, as, clock }: TestApp, name: string) => {
  const now = clock.now().toISOString()
  return db
    .updateTable('staff')
    .set({ banned_at: now, deleted_at: now, deleted_by: as('admin').id })
    .where('id', '=', as(name).id)
    .execute()
}

/** Returns a panel with tickets in these statuses, whose assignee was deactivated. */
async function withTickets(statuses: readonly number[], options: Parameters<typeof startTestApp>[0] = {}) {
  const started = await startTestApp(options)
  const { db, as } = started
  const assignee_id = as('csm').id
  const ids: number[] = []
  for (const status of statuses) {
    const { id } = await enterTicket(db, { assignee_id, status, sender_email: 'zoe@aalto.example' })
    ids.push(id)
  }
  await leave(started, 'csm')
  return { ...started, ids, id: ids[0]! }
}

const assignTo = async ({ as }: TestApp, name: string) => {
  const rule = { id: null, category: null, organization_id: null, staff_ids: [as(name).id] }
  const { status } = await as('admin').post('/admin/support/assignment-rules', { version: 0, rules: [rule] })
  expect(status).toBe(200)
}

const assigneesOf = async ({ db }: Pick<TestApp, 'db'>) =>
  (
    await db
      .selectFrom('tickets as t')
      .leftJoin('staff as s', 's.id', 't.assignee_id')
      .select('s.user_name')
      .orderBy('t.id')
      .execute()
  ).map(({ user_name }) => user_name)

const setStatus = ({ as }: TestApp, id: number, status: number) =>
  as('support').post(`/admin/support/change-ticket-status/${id}/${status}`)

test('a ticket that is reopened is not left with someone who was deactivated, as its history says', async () => {
  const started = await withTickets([resolved, closed])
  const { as, ids, id } = started
  expect((await setStatus(started, id, 0))['data']).toMatchObject({ assignee_id: null })
  expect(await assigneesOf(started)).toEqual([null, 'csm'])
  const { data } = await as('support').get(`/admin/records/ticket/${id}/history`)
  expect(data).toContainEqual(
    expect.objectContaining({
      act: 'Taken from an absent assignee',
      who: 'System',
      changes: [{ field: 'assignee_id', before: expect.stringMatching(/^[A-Z]/), after: null }],
    }),
  )
  const selection = { ids: [ids[1]!] }
  const bulk = await as('support').post('/admin/support/change-tickets', {
    selection,
    change: { kind: 'status', status: waiting },
  })
  expect(bulk.status).toBe(200)
  expect(await assigneesOf(started)).toEqual([null, null])
})

test('a ticket that stays settled keeps its assignee, and so does one whose assignee can open it', async () => {
  const started = await withTickets([resolved])
  await setStatus(started, started.id, closed)
  expect(await assigneesOf(started)).toEqual(['csm'])
  const { id } = await enterTicket(started.db, { assignee_id: started.as('adh').id, status: closed })
  await setStatus(started, id, 0)
  expect(await assigneesOf(started)).toEqual(['csm', 'adh'])
})

test('a ticket that is restored from the trash is not left with someone who was deactivated, as its history says', async () => {
  const started = await withTickets([waiting, waiting, closed])
  const { as, db, ids } = started
  const trash = (some: readonly number[]) =>
    as('admin')
      .post('/admin/records/ticket/trash', { ids: some })
      .then(({ status }) => expect(status).toBe(200))
  await trash(ids)
  const restored = await as('admin').post('/admin/records/ticket/restore', { ids })
  expect(restored.status).toBe(200)
  expect(await assigneesOf(started)).toEqual([null, null, 'csm'])
  const { data } = await as('admin').get(`/admin/records/ticket/${ids[0]!}/history`)
  expect(data[0]).toMatchObject({
    act: 'Taken from an absent assignee',
    changes: [{ field: 'assignee_id', after: null }],
  })
  expect(await db.selectFrom('tickets').select('id').where('deleted_at', 'is not', null).execute()).toEqual(
    [],
  )
})

test('undo leaves no ticket with someone who was deactivated since: neither a restored one nor an assigned one', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const csm = as('csm').id
  const { id: trashed } = await enterTicket(db, { assignee_id: csm })
  const { id: passed } = await enterTicket(db, { assignee_id: csm })
  const toTrash = await as('admin').post('/admin/records/ticket/trash', { ids: [trashed] })
  const pass = await as('support').post('/admin/support/change-tickets', {
    selection: { ids: [passed] },
    change: { kind: 'assign', assignee_id: as('support').id },
  })
  await leave(started, 'csm')
  const undo = async (name: string, { operation }: { operation?: { id: number } }) =>
    as(name).post(`/admin/operations/${operation!.id}/undo`)
  expect((await undo('admin', toTrash as never)).status).toBe(200)
  expect((await undo('support', pass as never)).status).toBe(200)
  expect(await assigneesOf(started)).toEqual([null, null])
  const { data } = await as('admin').get(`/admin/records/ticket/${passed}/history`)
  expect(data.slice(0, 2).map(({ act }: { act: string }) => act)).toEqual([
    'Taken from an absent assignee',
    'Undid an operation',
  ])
})

test('the assignment rules give a reopened ticket to someone who is present', async () => {
  const started = await withTickets([resolved])
  await assignTo(started, 'support')
  await setStatus(started, started.id, 0)
  expect(await assigneesOf(started)).toEqual(['support'])
  const { data } = await started.as('admin').get(`/admin/records/ticket/${started.id}/history`)
  expect(
    data
      .slice(0, 2)
      .map(({ act }: { act: string }) => act)
      .toSorted(),
  ).toEqual(['Assigned by a rule', 'Taken from an absent assignee'])
})

test('a ticket whose product the assignee no longer has is assigned again when it is reopened', async () => {
  const started = await startTestApp()
  const { db, as } = started
  const organization_id = await enterOrganization(db)
  const { id } = await enterTicket(db, { assignee_id: as('csm').id, status: resolved, organization_id })
  await db.deleteFrom('staff_products').where('staff_id', '=', as('csm').id).execute()
  await setStatus(started, id, 0)
  expect(await assigneesOf(started)).toEqual([null])
})

test('a customer who answers by email or as a requester in the panel reopens a ticket for everyone', async () => {
  const started = await withTickets([resolved])
  const { app, db, as, id } = started
  await assignTo(started, 'support')
  const raw = `From: Zoe <zoe@aalto.example>\r\nTo: help@linen.example\r\nSubject: Re: The scanner stopped (Ticket #${id})\r\nMessage-ID: <a@aalto.example>\r\n\r\nAgain.`
  const received = await receiveRaw(app, Buffer.from(raw), {})
  expect(received.record).toBeNull()
  const filed = await as('admin').post(`/admin/unsorted/${received.id}/file`, {
    type: 'ticket',
    record_id: id,
  })
  expect(filed.status).toBe(200)
  expect(await assigneesOf(started)).toEqual(['support'])
  const own = await enterTicket(db, { assignee_id: as('csm').id, status: resolved, staff_id: as('adh').id })
  const reply = await as('adh').post(`/admin/support/requests/${own.id}/reply`, { message: '<p>Again.</p>' })
  expect(reply.status).toBe(200)
  expect(await assigneesOf(started)).toEqual(['support', 'support'])
})

test('an undo that reopens a ticket or returns it to someone who was deactivated leaves it unassigned', async () => {
  const started = await startTestApp()
  const { db, as } = started
  const { id } = await enterTicket(db, { assignee_id: as('csm').id })
  const { operation: solved } = await setStatus(started, id, resolved)
  const other = await enterTicket(db, { assignee_id: as('csm').id })
  const { operation: given } = await as('support').post('/admin/support/change-tickets', {
    selection: { ids: [other.id] },
    change: { kind: 'assign', assignee_id: as('adh').id },
  })
  await leave(started, 'csm')
  for (const { id: operation } of [solved, given])
    expect(await as('support').post(`/admin/operations/${operation}/undo`)).toMatchObject({ status: 200 })
  expect(await assigneesOf(started)).toEqual([null, null])
})

test('a reply takes a ticket whose assignee was deactivated', async () => {
  const started = await withTickets([0, resolved])
  const { as, ids } = started
  for (const id of ids)
    expect(
      await as('support').post(`/admin/support/sendReply/${id}`, {
        message: '<p>Hello.</p>',
        status: waiting,
      }),
    ).toMatchObject({ status: 200 })
  expect(await assigneesOf(started)).toEqual(['support', 'support'])
})

test('open tickets of people who were deactivated before are unassigned by a migration', async () => {
  const started = await withTickets([0, resolved])
  const { db, as, id } = started
  const migration = await readFile('src/server/db/migrations/0330_tickets_of_absent_people.sql', 'utf8')
  await sql.raw(migration).execute(db)
  expect(await assigneesOf(started)).toEqual([null, 'csm'])
  expect((await as('support').get(`/admin/records/ticket/${id}/history`))['data']).toMatchObject([
    { act: 'Taken from an absent assignee', who: 'System' },
  ])
})
