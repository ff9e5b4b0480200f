import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'

const lead = { lead_for: 1, status: 1, lead_date: '2026-03-02' }

test('lead numbers need permission to list leads', async () => {
  const { as } = await startTestApp()
  for (const role of roleIds)
    expect([role, (await as(role).get('/admin/users/lead-numbers')).status]).toEqual([
      role,
      defaultGrants[role].includes('lead_list') ? 200 : 403,
    ])
})

test('follow-ups are overdue, today, or in the next seven days, and rejected leads are in none of them', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values([
      { ...lead, company_name: 'Yesterday', followup_date: '2026-03-15' },
      { ...lead, company_name: 'Long ago', followup_date: '2025-03-15', lead_for: 2 },
      { ...lead, company_name: 'Rejected', followup_date: '2026-03-15', status: 8, reject_msg: 'No budget' },
      { ...lead, company_name: 'Today', followup_date: '2026-03-16' },
      { ...lead, company_name: 'Tomorrow', followup_date: '2026-03-17' },
      { ...lead, company_name: 'In seven days', followup_date: '2026-03-23' },
      { ...lead, company_name: 'In eight days', followup_date: '2026-03-24' },
      { ...lead, company_name: 'No date' },
    ])
    .execute()
  const names = (group: { first: { companyName: string }[] }) => group.first.map((one) => one.companyName)
  const leads = await as('crm').get('/admin/users/lead-numbers')
  expect([names(leads.overdue), names(leads.today), names(leads.next)]).toEqual([
    ['Long ago', 'Yesterday'],
    ['Today'],
    ['Tomorrow', 'In seven days'],
  ])
  expect([leads.overdue.total, leads.today.total, leads.next.total]).toEqual([2, 1, 2])
  // Uses another browser date, and only one product.
  const later = await as('crm').get('/admin/users/lead-numbers?today=2026-03-17&lead_for=1')
  expect([names(later.overdue), names(later.today)]).toEqual([['Yesterday', 'Today'], ['Tomorrow']])
})

test('leads are counted by status in the order of the list, and by the last twelve months', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values([
      { ...lead, company_name: 'A' },
      { ...lead, company_name: 'B', status: 7, lead_date: '2026-03-31' },
      { ...lead, company_name: 'C', lead_date: '2025-04-01' },
      { ...lead, company_name: 'D', lead_date: '2025-03-31' },
      { ...lead, company_name: 'E', lead_for: 2 },
    ])
    .execute()
  const leads = await as('crm').get('/admin/users/lead-numbers?lead_for=1')
  expect(leads.by_status.map((one: { name: string }) => one.name)).toEqual([
    'New',
    'Contacted',
    'Qualified',
    'Demo scheduled',
    'Demo done',
    'Proposal',
    'Won',
    'Rejected',
  ])
  expect(leads.by_status.map((one: { count: number }) => one.count)).toEqual([3, 0, 0, 0, 0, 0, 1, 0])
  expect(leads.by_month).toHaveLength(12)
  expect([leads.by_month[0], leads.by_month[11]]).toEqual([
    { month: '2025-04', count: 1 },
    { month: '2026-03', count: 2 },
  ])
})

test('another product is refused, and users without products see none', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values({ ...lead, company_name: 'Secret', followup_date: '2026-03-16' })
    .execute()
  await db.deleteFrom('staff_products').where('staff_id', '=', as('crm').id).execute()
  expect(await as('crm').get('/admin/users/lead-numbers?lead_for=1')).toMatchObject({ status: 403 })
  expect(await as('crm').get('/admin/users/lead-numbers')).toMatchObject({ today: { total: 0, first: [] } })
})

test.each(['today=2026-02-30', 'lead_for=x', 'lead_for=0', 'page=1'])('?%s is refused', async (query) => {
  const { as } = await startTestApp()
  expect(await as('crm').get(`/admin/users/lead-numbers?${query}`)).toMatchObject({ status: 422 })
})
