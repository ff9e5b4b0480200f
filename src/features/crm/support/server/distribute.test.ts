import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { mostDistributed } from '#features/crm/support/desk.contract.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

async function withTickets(count: number) {
  const started = await startTestApp()
  const { as, db } = started
  const ids: number[] = []
  for (let left = count; left > 0; left--) ids.push((await enterTicket(db)).id)
  const distribute = (names: readonly string[], selected: readonly number[] = ids, by = 'support') =>
    as(by).post('/admin/support/change-tickets', {
      selection: { ids: selected },
      change: { kind: 'distribute', assignee_ids: names.map((name) => as(name).id) },
    })
  const assignees = async () =>
    (
      await db
        .selectFrom('tickets as t')
        .leftJoin('staff as s', 's.id', 't.assignee_id')
        .select('s.user_name')
        .orderBy('t.id')
        .execute()
    ).map(({ user_name }) => user_name)
  return { ...started, ids, distribute, assignees }
}

test('tickets are distributed in turn, in one operation with one notice each; one undo reverts all', async () => {
  const { as, db, distribute, assignees } = await withTickets(5)
  const reply = await distribute(['csm', 'adh'])
  expect(reply).toMatchObject({
    status: 200,
    message: 'Distributed among 2 people: 5 tickets.',
    left_out: [],
  })
  expect(await assignees()).toEqual(['csm', 'adh', 'csm', 'adh', 'csm'])
  const notices = await db.selectFrom('notices').select(['staff_id', 'words']).orderBy('id').execute()
  expect(notices).toEqual([
    { staff_id: as('csm').id, words: expect.stringMatching(/this ticket and 2 others to you\.$/) },
    { staff_id: as('adh').id, words: expect.stringMatching(/this ticket and 1 other to you\.$/) },
  ])
  const undone = await as('support').post(`/admin/operations/${reply['operation'].id}/undo`)
  expect(undone.status).toBe(200)
  expect(await assignees()).toEqual([null, null, null, null, null])
  const redone = await as('support').post(`/admin/operations/${reply['operation'].id}/redo`)
  expect(redone.status).toBe(200)
  expect(await assignees()).toEqual(['csm', 'adh', 'csm', 'adh', 'csm'])
})

test('a ticket goes to someone who can open it; one that no one of them can open is left out and named', async () => {
  const { as, db, ids, distribute, assignees } = await withTickets(3)
  const two = await enterOrganization(db, {}, [2])
  const three = await enterOrganization(db, { name: 'Linden' }, [3])
  await db.updateTable('tickets').set({ organization_id: two }).where('id', '=', ids[0]!).execute()
  await db.updateTable('tickets').set({ organization_id: three }).where('id', '=', ids[1]!).execute()
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('csm').id)
    .where('product_id', 'in', [2, 3])
    .execute()
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('adh').id)
    .where('product_id', '=', 3)
    .execute()
  const reply = await distribute(['csm', 'adh'])
  expect(reply['left_out']).toMatchObject([{ id: ids[1], why: 'None of them has its product.' }])
  expect(await assignees()).toEqual(['adh', null, 'csm'])
})

test('people who can’t open tickets, no people, and too many tickets are refused', async () => {
  const { ids, distribute, assignees } = await withTickets(1)
  for (const [names, selected, message] of [
    [['csm', 'developer'], ids, 'Choose an admin user who can open tickets.'],
    [[], ids, 'Choose at least one person.'],
    [
      ['csm'],
      Array.from({ length: mostDistributed + 1 }, (_, at) => at + 1),
      `Select up to ${mostDistributed} tickets.`,
    ],
  ] as const) {
    const reply = await distribute(names, selected)
    expect([reply.status, Object.values(reply['errors'])]).toEqual([422, [[message]]])
  }
  expect((await distribute(['csm'], ids, 'designer')).status).toBe(403)
  expect(await assignees()).toEqual([null])
})
