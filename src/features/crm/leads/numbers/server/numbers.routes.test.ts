import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { leadsCounted } from '#features/crm/leads/numbers/contract.ts'
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

test('follow-ups are overdue, today, or in the next seven days, and won and rejected leads are in none of them', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values([
      { ...lead, company_name: 'Yesterday', followup_date: '2026-03-15' },
      { ...lead, company_name: 'Long ago', followup_date: '2025-03-15', lead_for: 2 },
      { ...lead, company_name: 'Rejected', followup_date: '2026-03-15', status: 8, reject_msg: 'No budget' },
      { ...lead, company_name: 'Won', followup_date: '2026-03-15', status: 7 },
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

test('overdue follow-ups are counted by assignee, most first, and are those of the queue', async () => {
  const { as, db } = await startTestApp()
  const of = (who: string | undefined, followup_date: string, more = {}) => ({
    ...lead,
    company_name: 'Aalto Linen',
    assign_to: who === undefined ? null : as(who).id,
    followup_date,
    ...more,
  })
  await db
    .insertInto('leads')
    .values([
      of('crm', '2026-03-15'),
      of('csm', '2026-03-15'),
      of('csm', '2026-03-01'),
      of('csm', '2026-03-16'),
      of('csm', '2026-03-15', { status: 8, reject_msg: 'No budget' }),
      of('csm', '2026-03-15', { status: 7 }),
      of('csm', '2026-03-15', { lead_for: 2 }),
      of(undefined, '2025-03-15'),
    ])
    .execute()
  const { overdue } = await as('crm').get('/admin/users/lead-numbers?lead_for=1')
  expect(overdue.by.map(({ id, total }: { id: number; total: number }) => [id, total])).toEqual([
    [as('csm').id, 2],
    [as('crm').id, 1],
    [0, 1],
  ])
  expect(overdue.by[2].name).toBe('Unassigned')
  for (const { id, total } of overdue.by) {
    const filters = new URLSearchParams(
      Object.entries(leadsCounted.overdueOf(id)).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
    )
    expect([id, (await as('crm').get(`/admin/users/get-demo-leads?lead_for=1&${filters}`)).total]).toEqual([
      id,
      total,
    ])
  }
})

test('leads are counted by the week they came in and by status, in the order of the list', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values([
      { ...lead, company_name: 'This Monday', lead_date: '2026-03-16' },
      { ...lead, company_name: 'Last Sunday', status: 7, lead_date: '2026-03-15' },
      { ...lead, company_name: 'First week', lead_date: '2026-01-05' },
      { ...lead, company_name: 'Before', lead_date: '2026-01-04' },
      { ...lead, company_name: 'Sunday', lead_date: '2026-03-22' },
      { ...lead, company_name: 'Next Monday', lead_date: '2026-03-23' },
      { ...lead, company_name: 'Other product', lead_for: 2 },
      { ...lead, company_name: 'In the trash', deleted_at: '2026-03-10T00:00:00Z', deleted_by: 1 },
    ])
    .execute()
  const { weeks, by_status } = await as('crm').get('/admin/users/lead-numbers?lead_for=1')
  expect([weeks.length, weeks[0], weeks[10]]).toEqual([11, '2026-01-05', '2026-03-16'])
  const none = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  expect(by_status.map((one: { name: string; counts: number[] }) => [one.name, one.counts])).toEqual([
    ['New', [1, ...none, 2]],
    ['Contacted', [0, ...none, 0]],
    ['Qualified', [0, ...none, 0]],
    ['Demo scheduled', [0, ...none, 0]],
    ['Demo done', [0, ...none, 0]],
    ['Proposal', [0, ...none, 0]],
    ['Won', [...none, 1, 0]],
    ['Rejected', [0, ...none, 0]],
  ])
})

test('new leads of the last 30 days are compared with the 30 days before, and are those that the list has', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values([
      { ...lead, company_name: 'Today', lead_date: '2026-03-16' },
      { ...lead, company_name: 'Rejected', lead_date: '2026-03-14', status: 8, reject_msg: 'No budget' },
      { ...lead, company_name: 'First day', lead_date: '2026-02-15' },
      { ...lead, company_name: 'The day before', lead_date: '2026-02-14' },
      { ...lead, company_name: 'First day before', lead_date: '2026-01-16' },
      { ...lead, company_name: 'Older', lead_date: '2026-01-15' },
    ])
    .execute()
  const { created } = await as('crm').get('/admin/users/lead-numbers?lead_for=1')
  expect(created).toEqual({ total: 3, before: 2, parts: [1, 0, 0, 0, 0, 0, 0, 0, 0, 2] })
  const list = await as('crm').get(
    '/admin/users/get-demo-requests?lead_for=1&fromDate=2026-02-15&toDate=2026-03-16',
  )
  expect(list.total).toBe(3)
})

test('leads count as won since the day that their status changed, or since they came in', async () => {
  const { as, db } = await startTestApp()
  const won = { ...lead, status: 7 }
  await db
    .insertInto('leads')
    .values([
      { ...won, company_name: 'Came in as won', lead_date: '2026-03-16' },
      { ...won, company_name: 'Won today', status_at: '2026-03-16T09:00:00Z' },
      { ...won, company_name: 'Won on the first day', status_at: '2026-02-15T00:00:00Z' },
      { ...won, company_name: 'Won before', status_at: '2026-02-14T23:59:00Z' },
      { ...lead, company_name: 'Contacted', status: 2, status_at: '2026-03-16T09:00:00Z' },
      { ...lead, company_name: 'Rejected', status: 8, reject_msg: 'No', status_at: '2026-03-10T09:00:00Z' },
    ])
    .execute()
  const numbers = await as('crm').get('/admin/users/lead-numbers?lead_for=1')
  expect(numbers.won).toEqual({
    status: 7,
    total: 3,
    before: 1,
    parts: [1, 0, 0, 0, 0, 0, 0, 0, 0, 2],
    closed: 4,
  })
  await db.updateTable('lead_statuses').set({ is_won: false }).execute()
  expect((await as('crm').get('/admin/users/lead-numbers?lead_for=1')).won).toBeNull()
})

test('a change of the status is dated, and a change of anything else is not', async () => {
  const { as, db } = await startTestApp()
  const { lead_id } = await db
    .insertInto('leads')
    .values({ ...lead, company_name: 'Aalto Linen' })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  const statusDate = async () =>
    (await db.selectFrom('leads').select('status_at').where('lead_id', '=', lead_id).executeTakeFirst())!
      .status_at
  await db.updateTable('leads').set({ color: 2, status: 1 }).execute()
  expect(await statusDate()).toBeNull()
  await as('crm').get(`/admin/users/change-lead-status?id=${lead_id}&status=7`)
  expect(await statusDate()).not.toBeNull()
  const status_at = '2026-01-01T00:00:00Z'
  await db.updateTable('leads').set({ status: 2, status_at }).execute()
  expect(new Date((await statusDate())!).toISOString()).toBe('2026-01-01T00:00:00.000Z')
})

test('a period is compared with as many days before it', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values(
      ['2026-03-16', '2026-03-10', '2026-03-09', '2026-01-01', '2025-12-31'].map((lead_date) => ({
        ...lead,
        company_name: lead_date,
        lead_date,
      })),
    )
    .execute()
  const created = async (period: string) =>
    (await as('crm').get(`/admin/users/lead-numbers?period=${period}`)).created
  expect(await created('7')).toMatchObject({ total: 2, before: 1 })
  expect(await created('90')).toMatchObject({ total: 5, before: 0 })
  expect(await created('quarter')).toMatchObject({ total: 4, before: 1 })
})

test('another product is refused, and users without products see none', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values({ ...lead, company_name: 'Secret', followup_date: '2026-03-16' })
    .execute()
  await db.deleteFrom('staff_products').where('staff_id', '=', as('crm').id).execute()
  expect(await as('crm').get('/admin/users/lead-numbers?lead_for=1')).toMatchObject({ status: 403 })
  expect(await as('crm').get('/admin/users/lead-numbers')).toMatchObject({
    today: { total: 0, first: [] },
    created: { total: 0, before: 0 },
  })
})

test.each(['today=2026-02-30', 'lead_for=x', 'lead_for=0', 'page=1', 'period=60'])(
  '?%s is refused',
  async (query) => {
    const { as } = await startTestApp()
    expect(await as('crm').get(`/admin/users/lead-numbers?${query}`)).toMatchObject({ status: 422 })
  },
)
