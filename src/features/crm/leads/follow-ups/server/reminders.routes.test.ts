import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { dropStale, remind } from '#features/crm/leads/follow-ups/server/reminders.queries.ts'

/** The current date in tests. */
const today = '2026-03-16'
const at = '/admin/users'
const list = (who: TestClient, query = '') => who.get(`${at}/lead-reminders${query}`)
const mark = (who: TestClient, id: unknown, done: unknown = true) =>
  who.post(`${at}/lead-reminders/${String(id)}`, { done })
const names = async (who: TestClient) =>
  (await list(who)).data.map((one: { companyName: string }) => one.companyName)
const told = ({ live }: Pick<TestApp, 'live'>, { id }: TestClient) =>
  live.flatMap(({ channel, event, payload }) =>
    channel === `private-staff.${id}` && event === 'reminders' ? [payload] : [],
  )

test('users see their own reminders, earliest first; without permission to list leads they are refused', async () => {
  const { as, db } = await startTestApp()
  for (const [company_name, followup_date, who] of [
    ['Today', today, 'crm'],
    ['Long ago', '2025-01-01', 'crm'],
    ['Tomorrow', '2026-03-17', 'crm'],
    ['His', today, 'admin'],
    ['Unassigned', today, undefined],
  ] as const)
    await enterLead(db, { company_name, followup_date, assign_to: who ? as(who).id : null })
  await remind(db, today)
  expect(await list(as('crm'))).toMatchObject({
    total: 2,
    data: [{ companyName: 'Long ago', due_on: '2025-01-01', lead_for: 1 }, { companyName: 'Today' }],
  })
  expect(await names(as('admin'))).toEqual(['His'])
  expect(await names(as('super_admin'))).toEqual([])
  expect(await list(as('crm'), '?page=2')).toMatchObject({ data: [], total: 2 })
  expect(await list(as('crm'), '?page=0')).toMatchObject({
    status: 422,
    errors: { page: [expect.any(String)] },
  })
  expect((await list(as(undefined))).status).toBe(401)
  for (const role of roleIds)
    expect([role, (await list(as(role))).status]).toEqual([
      role,
      defaultGrants[role].includes('lead_list') ? 200 : 403,
    ])
})

test('a reminder is marked as done and reopened by its user only: for everyone else it does not exist', async () => {
  const { as, db, live } = await startTestApp()
  await enterLead(db, { followup_date: today, assign_to: as('crm').id })
  await remind(db, today)
  const { id } = (await list(as('crm'))).data[0]
  for (const other of ['super_admin', 'admin'])
    expect([other, (await mark(as(other), id)).status]).toEqual([other, 404])
  expect((await mark(as('crm'), 999_999)).status).toBe(404)
  expect((await mark(as('designer'), id)).status).toBe(403)
  expect((await mark(as(undefined), id)).status).toBe(401)
  expect(await names(as('crm'))).toEqual(['Aalto Linen'])
  expect(await as('crm').post(`${at}/lead-reminders/${id}`)).toMatchObject({
    status: 422,
    errors: { done: [expect.any(String)] },
  })
  for (const wrong of ['yes', 1, null])
    expect(await mark(as('crm'), id, wrong)).toMatchObject({ status: 422 })
  expect((await mark(as('crm'), 'x')).status).toBe(404)
  live.length = 0
  expect(await mark(as('crm'), id)).toMatchObject({ status: 200, message: 'Reminder marked as done.' })
  expect(told({ live }, as('crm'))).toEqual([{ added: 0 }])
  expect(await list(as('crm'))).toMatchObject({ data: [], total: 0 })
  // A reminder marked as done stays done in every later run. The same lead on another day gets a separate
  // reminder.
  expect(await remind(db, today)).toEqual([])
  await db.updateTable('leads').set({ followup_date: '2026-03-12' }).execute()
  expect(await remind(db, today)).toEqual([{ staff_id: as('crm').id, added: 1, overdue: true }])
  await db.updateTable('leads').set({ followup_date: today }).execute()
  expect(await mark(as('crm'), id, false)).toMatchObject({ status: 200, message: 'Reminder reopened.' })
  expect(await names(as('crm'))).toEqual(['Aalto Linen'])
})

test('a follow-up becomes due on its date, once, even if two processes check at the same time', async () => {
  const { as, db } = await startTestApp()
  await enterLead(db, { followup_date: '2026-03-17', assign_to: as('crm').id })
  expect(await remind(db, today)).toEqual([])
  const rounds = await Promise.all([
    remind(db, '2026-03-17'),
    remind(db, '2026-03-17'),
    remind(db, '2026-03-17'),
  ])
  expect(rounds.flat()).toEqual([{ staff_id: as('crm').id, added: 1, overdue: false }])
  expect(await db.selectFrom('reminders').selectAll().execute()).toHaveLength(1)
  // According to the panel's clock, it is not the 17th yet.
  expect(await names(as('crm'))).toEqual([])
})

test('more than one round can process are all written; banned users get no reminders', async () => {
  const { as, db } = await startTestApp()
  const lead = { company_name: 'Due', lead_for: 1, lead_date: today, followup_date: '2026-03-01' }
  await db
    .insertInto('leads')
    .values(
      Array.from({ length: 2100 }, (_, index) => ({
        ...lead,
        assign_to: index % 2 ? as('crm').id : as('admin').id,
      })),
    )
    .execute()
  await enterLead(db, { ...lead, assign_to: as('designer').id })
  await db.updateTable('staff').set({ banned_at: '2026-03-01' }).where('id', '=', as('designer').id).execute()
  expect((await remind(db, today)).map(({ added }) => added)).toEqual([1050, 1050])
  expect(await list(as('crm'))).toMatchObject({ total: 1050 })
})

/** Changes that close a reminder. */
const endings: [what: string, end: (who: TestClient, id: number, to: number) => Promise<unknown>][] = [
  [
    'its follow-up moves to the future',
    (who, id) => who.get(`${at}/change-followup-date?id=${id}&date=2026-03-20`),
  ],
  ['its follow-up is cleared', (who, id) => who.get(`${at}/change-followup-date?id=${id}&date=`)],
  [
    'the lead is rejected',
    (who, id) => who.get(`${at}/change-demorequest-status?id=${id}&status=8&reject_msg=No`),
  ],
  ['the lead is won', (who, id) => who.get(`${at}/change-lead-status?id=${id}&status=7`)],
  [
    'the lead is deleted',
    (who, id) => who.post(`${at}/change-leads`, { selection: { ids: [id] }, change: { kind: 'delete' } }),
  ],
  [
    'the lead is reassigned',
    (who, id, to) => who.post(`${at}/update-demo-requests`, { lead_id: id, assign_to: to }),
  ],
]

test.each(endings)('a reminder ends when %s', async (_what, end) => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db, { followup_date: today, assign_to: as('crm').id })
  await enterLead(db, { company_name: 'Stays', followup_date: today, assign_to: as('crm').id })
  await remind(db, today)
  const before = await names(as('crm'))
  expect(before).toHaveLength(2)
  expect(await end(as('super_admin'), id, as('admin').id)).toMatchObject({ status: 200 })
  expect(await names(as('crm'))).toEqual(['Stays'])
  await dropStale(db)
  expect(
    await db.selectFrom('reminders').select('id').where('staff_id', '=', as('crm').id).execute(),
  ).toHaveLength(1)
})

test('undoing a snooze reopens the reminder', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db, { followup_date: today, assign_to: as('crm').id })
  await remind(db, today)
  const snooze = await as('crm').post(`${at}/change-leads`, {
    selection: { ids: [id] },
    change: { kind: 'followup', followup_date: '2026-03-17' },
  })
  expect(await names(as('crm'))).toEqual([])
  await as('crm').post(`/admin/operations/${snooze['operation'].id}/undo`)
  expect(await names(as('crm'))).toEqual(['Aalto Linen'])
})

test('a change that makes a lead due writes its reminder immediately, and notifies the assignee unless they made it', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const [one, two, three] = [
    await enterLead(db),
    await enterLead(db),
    await enterLead(db, { followup_date: '2026-03-15' }),
  ]
  await as('admin').post(`${at}/change-leads`, {
    selection: { ids: [one, two] },
    change: { kind: 'assign', assign_to: as('crm').id },
  })
  await as('admin').post(`${at}/change-leads`, {
    selection: { ids: [one, two] },
    change: { kind: 'followup', followup_date: today },
  })
  await expect.poll(() => told(app, as('crm'))).toEqual([{ added: 2, tab: 'today' }])
  expect((await list(as('crm'))).total).toBe(2)
  await as('admin').post(`${at}/update-demo-requests`, { lead_id: three, assign_to: as('crm').id })
  await expect
    .poll(() => told(app, as('crm')))
    .toEqual([
      { added: 2, tab: 'today' },
      { added: 1, tab: 'overdue' },
    ])
  await as('crm').post(`${at}/save-demo-requests`, {
    companyName: 'Own',
    lead_for: 1,
    assign_to: as('crm').id,
    followup_date: today,
  })
  await expect.poll(() => told(app, as('crm')).at(-1)).toEqual({ added: 0, tab: 'today' })
  expect(await names(as('crm'))).toContain('Own')
  // No reminder is created for a follow-up that is not due.
  await as('admin').post(`${at}/save-demo-requests`, {
    companyName: 'Later',
    lead_for: 1,
    assign_to: as('crm').id,
    followup_date: '2026-03-17',
  })
  await as('admin').post(`${at}/save-demo-requests`, {
    companyName: 'Due',
    lead_for: 1,
    assign_to: as('crm').id,
    followup_date: today,
  })
  await expect.poll(() => names(as('crm'))).toContain('Due')
  expect(await names(as('crm'))).not.toContain('Later')
})

test('a reminder of a product that a user no longer has is hidden from them', async () => {
  const { as, db } = await startTestApp()
  await enterLead(db, { followup_date: today, assign_to: as('crm').id, lead_for: 2 })
  await remind(db, today)
  expect(await names(as('crm'))).toHaveLength(1)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 2)
    .execute()
  expect(await list(as('crm'))).toMatchObject({ data: [], total: 0 })
})

test('the job runs at startup, and every ten minutes in one of the processes', async () => {
  const { app, as, db } = await startTestApp()
  await enterLead(db, { followup_date: today, assign_to: as('crm').id })
  expect(await names(as('crm'))).toEqual([])
  await app.jobs.start()
  await expect.poll(() => names(as('crm'))).toEqual(['Aalto Linen'])
  const { rows } = await app.pool.query(
    "select name, cron from pgboss.schedule where name = 'lead-reminders'",
  )
  expect(rows).toEqual([{ name: 'lead-reminders', cron: '*/10 * * * *' }])
})
