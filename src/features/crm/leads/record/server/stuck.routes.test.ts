import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import type { Db } from '#server/db/db.ts'

const [created, contacted, won] = [1, 2, 7]

/** Enters a lead that was created, and changed last, so many days ago. */
async function enter(db: Db, company_name: string, status: number, days: number, changed?: number) {
  const ago = (count: number) => sql<string>`now() - make_interval(days => ${count}, mins => 1)`
  const id = await enterLead(db, { company_name, status })
  await db
    .updateTable('leads')
    .set({ created_at: ago(days) })
    .where('lead_id', '=', id)
    .execute()
  if (changed !== undefined)
    await sql`insert into audit_log (at, endpoint, target_type, target_id, address, request_id)
      select at, 'POST /admin/users/update-demo-requests', 'lead', ${id}, '', '' from unnest(array[${ago(changed + 1)}, ${ago(changed)}]) at`.execute(
      db,
    )
  return id
}

interface Listed {
  companyName: string
  stuck_days: number | null
}

async function listed({ as }: TestApp, query = ''): Promise<Record<string, number | null>> {
  const { data } = await as('crm').get(
    `/admin/users/get-demo-requests?column=companyName&direction=asc&${query}`,
  )
  return Object.fromEntries(
    (data.leads as Listed[]).map(({ companyName, stuck_days }) => [companyName, stuck_days]),
  )
}

test('a lead with more days without activity than its status allows is stuck, in list, filter, and board', async () => {
  const test = await startTestApp()
  const { as, db } = test
  await enter(db, 'Changed in time', created, 9, 2)
  await enter(db, 'Changed long ago', created, 90, 12)
  await enter(db, 'In time', contacted, 6)
  await enter(db, 'Never changed', created, 4)
  await enter(db, 'Sold', won, 400)
  const all = {
    'Changed in time': null,
    'Changed long ago': 12,
    'In time': null,
    'Never changed': 4,
    Sold: null,
  }
  expect(await listed(test)).toEqual(all)
  expect(await listed(test, 'stuck_filter=stuck')).toEqual({ 'Changed long ago': 12, 'Never changed': 4 })
  const board = await as('crm').get('/admin/users/lead-board?stuck_filter=stuck')
  const lanes = board.data as { id: number; total: number; cards: Listed[] }[]
  expect(lanes.filter(({ total }) => total > 0).map(({ id, total }) => [id, total])).toEqual([[created, 2]])
  expect(lanes[0]!.cards.map(({ stuck_days }) => stuck_days).toSorted()).toEqual([12, 4])
})

test('a note moves a stuck lead on', async () => {
  const test = await startTestApp()
  const id = await enter(test.db, 'Aalto', created, 5)
  expect(await listed(test)).toEqual({ Aalto: 5 })
  expect(await test.as('crm').post(`/admin/general/notes/lead/${id}`, { note: 'Called.' })).toMatchObject({
    status: 200,
  })
  expect(await listed(test)).toEqual({ Aalto: null })
})

test('the days of a status are a setting of roles 0 and 1; 0 is never', async () => {
  const test = await startTestApp()
  const { as, db } = test
  await enter(db, 'Aalto', contacted, 6)
  const set = (who: string, stuck_days: unknown, list = 'statuses', key = String(contacted)) =>
    as(who).post(`/admin/lists/${list}/change`, { key, stuck_days })
  expect(await set('crm', 5)).toMatchObject({ status: 403 })
  for (const wrong of [-1, 1000, 1.5, 'soon'])
    expect(await set('admin', wrong)).toMatchObject({
      status: 422,
      errors: { stuck_days: expect.any(Array) },
    })
  expect(await set('admin', 5, 'tags', '9')).toMatchObject({
    status: 422,
    errors: { stuck_days: ['Entries in this list don’t have a number of days.'] },
  })
  expect(await listed(test)).toEqual({ Aalto: null })
  expect((await set('super_admin', 5)).data[1]).toMatchObject({
    name: 'Contacted',
    probability: 10,
    stuck_days: 5,
  })
  expect(await listed(test)).toEqual({ Aalto: 6 })
  expect(test.live).toContainEqual(expect.objectContaining({ channel: 'private-records.leads' }))
  await set('admin', 0)
  expect(await listed(test)).toEqual({ Aalto: null })
})

test('which status a demo offers is a setting of roles 0 and 1; each kind of demo has one status', async () => {
  const { as } = await startTestApp()
  const set = (who: string, for_demo: unknown, list = 'statuses', key = '3') =>
    as(who).post(`/admin/lists/${list}/change`, { key, for_demo })
  const ofDemos = async () =>
    (await as('crm').get('/admin/users/lead-options'))['statuses'].map(
      ({ id, for_demo }: { id: number; for_demo: number | null }) => [id, for_demo],
    )
  const first = await ofDemos()
  expect(first.filter(([, demo]: [number, number | null]) => demo)).toEqual([
    [4, 2],
    [5, 3],
  ])
  expect(await set('crm', 2)).toMatchObject({ status: 403 })
  for (const wrong of [1, 4, 'soon']) expect(await set('admin', wrong)).toMatchObject({ status: 422 })
  expect(await set('admin', 2, 'tags', '9')).toMatchObject({
    status: 422,
    errors: { for_demo: ['Entries in this list aren’t the status of a demo.'] },
  })
  expect(await ofDemos()).toEqual(first)
  expect(await set('super_admin', 2)).toMatchObject({ status: 200 })
  expect((await ofDemos()).filter(([, demo]: [number, number | null]) => demo)).toEqual([
    [3, 2],
    [5, 3],
  ])
  // Another figure of the status leaves it as it is.
  await as('admin').post('/admin/lists/statuses/change', { key: '3', probability: 30 })
  expect((await ofDemos())[2]).toEqual([3, 2])
  await set('admin', null)
  expect((await ofDemos())[2]).toEqual([3, null])
})
