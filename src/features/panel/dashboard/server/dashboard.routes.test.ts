import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'

const lead = { lead_for: 1, status: 1, lead_date: '2026-03-02' }

test.each(roleIds)('role %d sees the lead numbers with lead_list, and the audit log as role 0 or 1', async (role) => {
  const { as } = await startTestApp()
  const reply = await as(role).get('/admin/dashboard')
  expect(reply.status).toBe(200)
  expect('leads' in reply).toBe(defaultGrants[role].includes('lead_list'))
  expect('audit' in reply).toBe(role === 0 || role === 1)
})

test('nobody sees a dashboard without a session', async () => {
  const { as } = await startTestApp()
  expect(await as(undefined).get('/admin/dashboard')).toMatchObject({ status: 401 })
})

test('follow-ups stand under overdue, today or the next seven days, and rejected leads under none', async () => {
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
  const { leads } = await as('crm').get('/admin/dashboard')
  expect([names(leads.overdue), names(leads.today), names(leads.next)]).toEqual([['Long ago', 'Yesterday'], ['Today'], ['Tomorrow', 'In seven days']])
  expect([leads.overdue.total, leads.today.total, leads.next.total]).toEqual([2, 1, 2])
  // Another browser's day, and one product only.
  const later = (await as('crm').get('/admin/dashboard?today=2026-03-17&lead_for=1'))['leads']
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
  const { leads } = await as('crm').get('/admin/dashboard?lead_for=1')
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

test('a foreign product is refused, and who has none sees none', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values({ ...lead, company_name: 'Secret', followup_date: '2026-03-16' })
    .execute()
  await db.deleteFrom('staff_products').where('staff_id', '=', as('crm').id).execute()
  expect(await as('crm').get('/admin/dashboard?lead_for=1')).toMatchObject({ status: 403 })
  expect((await as('crm').get('/admin/dashboard'))['leads']).toMatchObject({ today: { total: 0, first: [] } })
})

test.each(['today=2026-02-30', 'lead_for=x', 'lead_for=0', 'page=1'])('?%s is refused', async (query) => {
  const { as } = await startTestApp()
  expect(await as('crm').get(`/admin/dashboard?${query}`)).toMatchObject({ status: 422 })
})

test('roles 0 and 1 see who did what last, and to which lead', async () => {
  const { as, db } = await startTestApp()
  const { lead_id } = await db
    .insertInto('leads')
    .values({ ...lead, company_name: 'Aalto Linen' })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  await as('crm').get(`/admin/users/change-lead-status?id=${lead_id}&status=2`)
  await as('admin').post('/admin/roles/change-permissions', { role_id: 9, grant: ['lead_list'] })
  const lastOf = async (user: 'super_admin' | 'admin') => (await as(user).get('/admin/dashboard'))['audit'].slice(0, 2)
  const [change, status] = await lastOf('super_admin')
  expect(change).toMatchObject({ who: 'Martin Keller', act: 'Grants and revokes permissions of one role', target: 'role 9', lead_id: null })
  expect(status).toMatchObject({ who: 'Paula Ferreira', act: 'Sets the status of a lead', target: 'Aalto Linen', lead_id })

  // Who may not open the lead, or no longer works on its product, is not told its name.
  await as('super_admin').post('/admin/roles/change-permissions', { role_id: 1, revoke: ['lead_detail'] })
  expect((await lastOf('admin'))[1]).toMatchObject({ target: 'role 9' })
  const [, , withoutName] = (await as('admin').get('/admin/dashboard'))['audit']
  expect(withoutName).toMatchObject({ target: `lead ${lead_id}`, lead_id: null })
  await db.deleteFrom('staff_products').where('staff_id', '=', as('super_admin').id).execute()
  expect((await as('super_admin').get('/admin/dashboard'))['audit'][2]).toMatchObject({ target: `lead ${lead_id}`, lead_id: null })
})
