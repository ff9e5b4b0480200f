import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/** Fetches the board. The time in tests is 16 March 2026. */
const board = (who: TestClient, query = '') => who.get(`/admin/users/lead-board?${query}`)
const list = (who: TestClient, query = '') => who.get(`/admin/users/get-demo-requests?${query}`)
interface Lane {
  id: number
  total: number
  overdue: number
  cards: { lead_id: number; version: number; companyName: string }[]
}

test('the board is for those who can list leads, in their products', async () => {
  const { as, db } = await startTestApp()
  for (const role of [...roleIds, undefined]) {
    const { status } = await board(as(role))
    const may = role !== undefined && defaultGrants[role].includes('lead_list')
    expect([role, status]).toEqual([role, may ? 200 : role === undefined ? 401 : 403])
  }
  await enterLead(db, { lead_for: 4 })
  expect(await board(as('crm'), 'lead_for=4')).toMatchObject({ total: 1 })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 4)
    .execute()
  expect(await board(as('crm'), 'lead_for=4')).toMatchObject({ status: 403 })
  expect(await board(as('crm'))).toMatchObject({ total: 0 })
})

test('the lanes are the statuses, and their totals add up to the total of the list with the same filters', async () => {
  const { as, db } = await startTestApp()
  await enterLead(db, { status: 2, color: 1, followup_date: '2026-03-15', lead_date: '2026-03-09' })
  await enterLead(db, { status: 2, company_name: 'Birch', followup_date: '2026-03-16' })
  await enterLead(db, { status: 8, company_name: 'Cedar', assign_to: 3, followup_date: '2026-03-01' })
  await enterLead(db, { status: 3, company_name: 'Elm', lead_date: '2025-01-01' })
  for (const query of [
    '',
    'fromDate=all',
    'status=2',
    'search=birch',
    'followup_filter=1',
    'assigned_filter=mine',
    'color=1',
    'lead_for=2',
  ]) {
    const reply = await board(as('crm'), query)
    const { total } = await list(as('crm'), query)
    const lanes: Lane[] = reply['data']
    expect([query, reply['total'], lanes.reduce((sum, lane) => sum + lane.total, 0)]).toEqual([
      query,
      total,
      total,
    ])
    expect([query, lanes.flatMap(({ cards }) => cards).length]).toEqual([query, total])
  }
  expect(await list(as('crm'), 'fromDate=all')).toMatchObject({ total: 4 })
  const { data } = await board(as('crm'), 'fromDate=all')
  expect(data.map(({ name }: { name: string }) => name)).toEqual([
    'New',
    'Contacted',
    'Qualified',
    'Demo scheduled',
    'Demo done',
    'Proposal',
    'Won',
    'Rejected',
  ])
  // A closed lead needs no follow-up.
  expect(data.map(({ overdue }: Lane) => overdue)).toEqual([0, 1, 0, 0, 0, 0, 0, 0])
  expect(data.map(({ is_closed }: any) => is_closed)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
    true,
    true,
  ])
  const names = async (query: string) =>
    (await board(as('crm'), query))['data'][1].cards.map(({ companyName }: any) => companyName)
  expect(await names('')).toEqual(['Birch', 'Aalto Linen'])
  expect(await names('column=companyName&direction=asc')).toEqual(['Aalto Linen', 'Birch'])
})

test('a status returns its leads by page', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values(
      Array.from({ length: 50 }, (_, at) => ({
        company_name: `Inn ${at}`,
        lead_for: 1,
        lead_date: '2026-03-10',
        status: 2,
      })),
    )
    .execute()
  const cards = async (query: string) => (await board(as('crm'), query))['data'][1].cards.length
  expect(await cards('')).toBe(40)
  expect(await cards('pages=2:2')).toBe(50)
})

test('if two users drop the same lead, one sets its status and the other gets a 409 with the name', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  const { version } = (await board(as('crm')))['data'][0].cards[0]
  const set = (who: TestClient, status: number) =>
    who.get(`/admin/users/change-lead-status?id=${id}&status=${status}&version=${version}`)
  const [first, second] = await Promise.all([set(as('crm'), 2), set(as('admin'), 3)])
  expect([first.status, second.status].toSorted()).toEqual([200, 409])
  const [won, lost] = first.status === 200 ? [first, second] : [second, first]
  expect(lost['message']).toMatch(
    /^[A-Z].* already changed the status of this lead to “(Contacted|Qualified)”\.$/,
  )
  expect(lost['current']).toMatchObject({ lead_id: id, status: won['data'].status })
  const reject = `id=${id}&status=8&reject_msg=Too+small&version=${version}`
  const refused = first.status === 200 ? 'admin' : 'crm'
  expect(await as(refused).get(`/admin/users/change-demorequest-status?${reject}`)).toMatchObject({
    status: 409,
  })
})
