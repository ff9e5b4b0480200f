import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { batchSize } from '#shared/operations.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

/* Changes to more tickets than fit into the transaction of a request. */

const many = batchSize + 3

async function withManyTickets() {
  const started = await startTestApp()
  const { as, db } = started
  const { rows } = await sql<{ id: number }>`insert into tickets (title)
    select 'Ticket ' || n from generate_series(1, ${many}) n returning id`.execute(db)
  const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b)
  const support = as('support')
  const change = async (what: object) => {
    const reply = await support.post('/admin/support/change-tickets', { selection: { ids }, change: what })
    expect(reply).toMatchObject({ status: 200, operation: { running: true } })
    const state = async () => (await support.get(`/admin/operations/${reply['operation'].id}`))['data'].state
    await expect.poll(state, { interval: 50 }).toBe('done')
  }
  return { ...started, ids, change }
}

test('the new assignee of many tickets gets one notice, of those that changed', async () => {
  const { as, db, ids, change } = await withManyTickets()
  const [{ name }, admin] = [
    await db.selectFrom('staff').select('name').where('id', '=', as('support').id).executeTakeFirstOrThrow(),
    as('admin').id,
  ]
  await db.updateTable('tickets').set({ assignee_id: admin }).where('id', '=', ids[0]!).execute()
  await change({ kind: 'assign', assignee_id: admin })
  const notices = await db.selectFrom('notices').select(['kind', 'staff_id', 'record_id', 'words']).execute()
  expect(notices).toEqual([
    {
      kind: 'assigned',
      staff_id: admin,
      record_id: ids[1],
      words: `${name} assigned this ticket and 501 others to you.`,
    },
  ])
})

test('incidents have many linked and unlinked tickets in their history', async () => {
  const { as, db, ids, change } = await withManyTickets()
  const [first, second] = [(await enterTicket(db)).id, (await enterTicket(db)).id]
  const history = async (id: number) => {
    const { data } = await as('support').get(`/admin/records/ticket/${id}/history`)
    return (data as { changes: { field: string; before: unknown; after: unknown }[] }[]).flatMap(
      ({ changes }) =>
        changes
          .filter(({ field }) => field === 'linked_tickets')
          .map(({ before, after }) => ({ before, after })),
    )
  }
  const numbers = ids.map((id) => `#${id}`)
  await change({ kind: 'incident', incident_id: first })
  expect((await history(first)).flatMap(({ after }) => after).toSorted()).toEqual(numbers.toSorted())
  await change({ kind: 'incident', incident_id: second })
  expect((await history(first)).flatMap(({ before }) => before ?? []).toSorted()).toEqual(numbers.toSorted())
  expect((await history(second)).flatMap(({ after }) => after).toSorted()).toEqual(numbers.toSorted())
})
