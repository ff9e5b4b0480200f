import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds, type RoleId } from '#shared/access.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/** Fetches the queue. The time in tests is 16 March 2026. */
const queue = (who: TestClient, query = '') => who.get(`/admin/users/get-demo-leads?${query}`)
const names = async (who: TestClient, query: string): Promise<string[]> =>
  (await queue(who, query)).data.leads.map((lead: { companyName: string }) => lead.companyName)

test('leads.listByTab: tabs of leads need lead_list, tabs of onboardings onboarding_list; without a session it is 401', async () => {
  const { as } = await startTestApp()
  expect((await queue(as(undefined))).status).toBe(401)
  for (const [tab, key] of [
    ['overdue', 'lead_list'],
    ['today', 'lead_list'],
    ['next', 'lead_list'],
    ['in_progress', 'onboarding_list'],
  ] as const) {
    const mayAsk = (role: RoleId) => defaultGrants[role].some((right) => right === key)
    for (const role of roleIds)
      expect([tab, role, (await queue(as(role), `tab=${tab}`)).status]).toEqual([
        tab,
        role,
        mayAsk(role) ? 200 : 403,
      ])
  }
})

test('a lead is in the tab of its follow-up date, whatever date it came in', async () => {
  const { as, db } = await startTestApp()
  for (const day of ['2024-01-01', '2026-03-15', '2026-03-16', '2026-03-17', '2026-03-23', '2026-03-24'])
    await enterLead(db, { company_name: day, followup_date: day, lead_date: '2023-05-05' })
  await enterLead(db, { company_name: 'No date' })
  const tabs = { overdue: 2, today: 1, next: 2 }
  expect(await queue(as('crm'), 'tab=overdue')).toMatchObject({
    total: 2,
    tabs,
    data: { displayRows: '1–2 of 2' },
  })
  expect(await names(as('crm'), '')).toEqual(['2024-01-01', '2026-03-15'])
  expect(await queue(as('crm'), 'tab=today')).toMatchObject({ total: 1, tabs })
  expect(await names(as('crm'), 'tab=today')).toEqual(['2026-03-16'])
  expect(await names(as('crm'), 'tab=next')).toEqual(['2026-03-17', '2026-03-23'])
  // A different date in the browser shifts all tabs.
  expect(await names(as('crm'), 'tab=today&today=2026-03-24')).toEqual(['2026-03-24'])
  expect(await queue(as('crm'), 'today=2026-03-24')).toMatchObject({
    tabs: { overdue: 5, today: 1, next: 0 },
  })
  expect(await queue(as('crm'), 'page=9')).toMatchObject({
    data: { leads: [], displayRows: '0 of 2' },
    total: 2,
  })
})

test('done today are the leads that were due and that the caller moved on or closed, not what was undone', async () => {
  const { as, db } = await startTestApp()
  const due = { followup_date: '2026-03-16', assign_to: as('crm').id }
  const [moved, called, rejected, kept, later] = await Promise.all(
    ['Moved', 'Called', 'Rejected', 'Kept', 'Later'].map((company_name) =>
      enterLead(db, {
        ...due,
        company_name,
        ...(company_name === 'Later' && { followup_date: '2026-03-20' }),
      }),
    ),
  )
  const done = async (who = 'crm') => (await queue(as(who)))['done']
  const move = (id: number | undefined, followup_date: string) =>
    as('crm').post('/admin/users/change-leads', {
      selection: { ids: [id] },
      change: { kind: 'followup', followup_date },
    })
  expect(await done()).toBe(0)
  const { operation } = await move(moved, '2026-03-18')
  await move(later, '2026-03-21')
  await move(kept, '2026-03-15')
  expect(await done()).toBe(1)
  await as('crm').post('/admin/users/lead-calls', {
    lead_id: called,
    outcome: 1,
    followup_date: '2026-03-17',
  })
  await as('crm').get(`/admin/users/change-demorequest-status?id=${rejected}&status=8&reject_msg=No+budget`)
  expect([await done(), await done('admin')]).toEqual([3, 0])
  await as('crm').post(`/admin/operations/${operation.id}/undo`)
  expect(await done()).toBe(2)
  const elsewhere = await enterLead(db, { ...due, lead_for: 2 })
  const ofAnother = await enterLead(db, { ...due, assign_to: as('admin').id })
  for (const id of [elsewhere, ofAnother]) await move(id, '2026-03-18')
  expect([await done(), (await queue(as('crm'), 'lead_for=1'))['done']]).toEqual([3, 2])
  await db.updateTable('operations').set({ at: '2026-03-15T23:59:59Z' }).execute()
  expect(await done()).toBe(0)
})

test('won, rejected, and deleted leads and those of other products are not in the queue', async () => {
  const { as, db } = await startTestApp()
  const due = { followup_date: '2026-03-10' }
  await enterLead(db, { ...due, company_name: 'Waits' })
  await enterLead(db, { ...due, status: 8, reject_msg: 'No budget' })
  await enterLead(db, { ...due, status: 7, company_name: 'Won' })
  await enterLead(db, { ...due, deleted_at: '2026-03-11', deleted_by: 1 })
  await enterLead(db, { ...due, lead_for: 2, company_name: 'Foreign' })
  expect(await names(as('crm'), '')).toEqual(['Waits', 'Foreign'])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 2)
    .execute()
  expect(await names(as('crm'), '')).toEqual(['Waits'])
  expect(await queue(as('crm'))).toMatchObject({ tabs: { overdue: 1, today: 0, next: 0 } })
  expect(await queue(as('crm'), 'lead_for=2')).toMatchObject({ status: 403 })
  // Filtering by status must not bring back won or rejected leads.
  for (const status of [7, 8]) expect(await names(as('admin'), `status=${status}`)).toEqual([])
})

test('a lead has its time zone, and the last words about it for those who can open it', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db, { followup_date: '2026-03-10', timezone: 'Australia/Sydney' })
  const row = async (who: TestClient) => (await queue(who)).data.leads[0]
  expect(await row(as('crm'))).toMatchObject({ timezone: 'Australia/Sydney', last_words: '' })
  await as('crm').post('/admin/general/notes/lead/' + lead_id, { note: 'Wants the brochure.' })
  expect(await row(as('crm'))).toMatchObject({ last_words: 'Wants the brochure.' })
  await as('crm').post('/admin/users/lead-calls', { lead_id, outcome: 1, note: 'x'.repeat(300) })
  // A call without a note leaves the words that were said before.
  await as('crm').post('/admin/users/lead-calls', { lead_id, outcome: 2 })
  expect(await row(as('crm'))).toMatchObject({ last_words: 'x'.repeat(200) })
  const grant = { role_id: 8, grant: ['crm_view', 'lead_list'] }
  await as('super_admin').post('/admin/roles/change-permissions', grant)
  expect(await row(as('development_lead'))).toMatchObject({ last_words: '' })
})

test('earlier due dates come first, then more urgent leads, then older ones; a column sorts differently', async () => {
  const { as, db } = await startTestApp()
  for (const [company_name, followup_date, color] of [
    ['B', '2026-03-14', 0],
    ['C', '2026-03-14', 4],
    ['D', '2026-03-14', 4],
    ['A', '2026-03-13', 1],
  ] as const)
    await enterLead(db, { company_name, followup_date, color })
  expect(await names(as('crm'), '')).toEqual(['A', 'C', 'D', 'B'])
  expect(await names(as('crm'), 'column=companyName&direction=asc')).toEqual(['A', 'B', 'C', 'D'])
  expect(await names(as('crm'), 'column=companyName')).toEqual(['D', 'C', 'B', 'A'])
  // The order in the list of priorities matters, not the IDs.
  await db.updateTable('lead_colors').set({ position: 99 }).where('id', '=', 0).execute()
  expect(await names(as('crm'), '')).toEqual(['A', 'B', 'C', 'D'])
})

test("the list's filters narrow every tab and its count", async () => {
  const { as, db } = await startTestApp()
  await enterLead(db, {
    company_name: 'Mine',
    followup_date: '2026-03-10',
    assign_to: as('crm').id,
    lead_date: '2026-02-10',
  })
  await enterLead(db, {
    company_name: 'His',
    followup_date: '2026-03-10',
    assign_to: as('admin').id,
    color: 2,
  })
  expect(await names(as('crm'), 'assigned_filter=mine')).toEqual(['Mine'])
  expect(await queue(as('crm'), 'assigned_filter=mine&tab=next')).toMatchObject({
    tabs: { overdue: 1, today: 0, next: 0 },
  })
  expect(await names(as('crm'), 'color=2')).toEqual(['His'])
  expect(await names(as('crm'), 'search=hi')).toEqual(['His'])
  expect(await names(as('crm'), 'fromDate=2026-03-01&toDate=2026-03-31')).toEqual(['His'])
  expect(await names(as('crm'), 'toDate=2026-02-28')).toEqual(['Mine'])
  expect(await names(as('crm'), 'followup_filter=2')).toEqual([])
})

test.each(['tab=later', 'tab=', 'column=secret', 'page=0', 'today=2026-02-30', 'tabs=today'])(
  '?%s is refused, or means nothing',
  async (query) => {
    const { as } = await startTestApp()
    // An empty value is treated as not sent.
    expect(await queue(as('crm'), query)).toMatchObject(
      query === 'tab='
        ? { status: 200 }
        : { status: 422, errors: { [query.split('=')[0]!]: [expect.any(String)] } },
    )
  },
)

/* ---- Hidden by the list's period ---- */

const hidden = (who: TestClient, query = '') => who.get(`/admin/users/hidden-follow-ups?${query}`)

test("overdue leads outside the list's date range are counted, with the other filters of the list", async () => {
  const { as, db } = await startTestApp()
  const overdue = { followup_date: '2026-03-10' }
  await enterLead(db, { ...overdue, lead_date: '2026-03-01' })
  await enterLead(db, { ...overdue, lead_date: '2026-02-28', assign_to: as('crm').id })
  await enterLead(db, { ...overdue, lead_date: '2026-04-01', lead_for: 2 })
  // These leads don't count: due today, rejected, in the trash, or without a date.
  await enterLead(db, { followup_date: '2026-03-16', lead_date: '2026-02-01' })
  await enterLead(db, { ...overdue, lead_date: '2026-02-01', status: 8, reject_msg: 'No' })
  await enterLead(db, { ...overdue, lead_date: '2026-02-01', deleted_at: '2026-03-11', deleted_by: 1 })
  await enterLead(db, { lead_date: '2026-02-01' })
  for (const [query, count] of [
    ['', 2],
    ['lead_for=1', 1],
    ['assigned_filter=mine', 1],
    ['search=nothing', 0],
    ['fromDate=2026-02-28&toDate=2026-02-28', 2],
    ['fromDate=2026-03-02', 2],
    ['toDate=2026-03-31', 1],
    ['fromDate=all&toDate=all', 0],
    ['today=2026-03-10', 0],
    ['today=2026-03-20', 3],
    ['status=8', 0],
    ['followup_filter=1', 2],
    ['followup_filter=4', 0],
  ] as const)
    expect([query, await hidden(as('crm'), query)]).toMatchObject([
      query,
      { status: 200, count, more: false },
    ])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 2)
    .execute()
  expect(await hidden(as('crm'))).toMatchObject({ count: 1 })
})

test('above 99 it says that there are more', async () => {
  const { as, db } = await startTestApp()
  const lead = { company_name: 'Old', lead_for: 1, lead_date: '2025-01-01', followup_date: '2026-03-10' }
  await db
    .insertInto('leads')
    .values(Array.from({ length: 99 }, () => lead))
    .execute()
  expect(await hidden(as('crm'))).toMatchObject({ count: 99, more: false })
  await enterLead(db, lead)
  expect(await hidden(as('crm'))).toMatchObject({ count: 99, more: true })
})

test('the number of hidden leads needs lead_list, and excludes other products', async () => {
  const { as, db } = await startTestApp()
  expect((await hidden(as(undefined))).status).toBe(401)
  for (const role of roleIds)
    expect([role, (await hidden(as(role))).status]).toEqual([
      role,
      defaultGrants[role].includes('lead_list') ? 200 : 403,
    ])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 2)
    .execute()
  expect((await hidden(as('crm'), 'lead_for=2')).status).toBe(403)
  expect(await hidden(as('crm'), 'fromDate=x&tab=today')).toMatchObject({
    status: 422,
    errors: { fromDate: [expect.any(String)], tab: [expect.any(String)] },
  })
})
