import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { allOfLeads } from '#features/crm/leads/record/server/leads.testing.ts'
import { seedDemoLeads } from '#features/crm/leads/record/server/leads.seed.ts'

test('the demo has 400 leads of twelve months, with each product, status, color, and source, always the same', async () => {
  const { db } = await startTestApp()
  await seedDemoLeads(db, '2026-03-16')
  const leads = await db.selectFrom('leads').selectAll().execute()
  const values = <K extends keyof (typeof leads)[number]>(column: K) =>
    new Set(leads.map((lead) => lead[column]))
  expect(leads).toHaveLength(400)
  expect(values('company_name').size).toBe(400)
  expect([...new Set(leads.map((lead) => lead.lead_date.slice(0, 7)))].toSorted()).toEqual([
    '2025-04',
    '2025-05',
    '2025-06',
    '2025-07',
    '2025-08',
    '2025-09',
    '2025-10',
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
    '2026-03',
  ])
  expect([...values('lead_date')].toSorted().at(-1)).toBe('2026-03-16')
  expect([
    values('lead_for').size,
    values('status').size,
    values('color').size,
    values('lead_type').size,
    values('demo_status').size,
  ]).toEqual([4, 8, 5, 2, 4])
  expect(values('hear_about').size).toBe(10)
  const due = (test: (day: string) => boolean) =>
    leads.filter(({ followup_date }) => followup_date !== null && test(followup_date)).length
  for (const some of [
    due((day) => day < '2026-03-16'),
    due((day) => day === '2026-03-16'),
    due((day) => day > '2026-03-16'),
  ])
    expect(some).toBeGreaterThan(3)
  expect(leads.every(({ status, reject_msg }) => (status === 8) === (reject_msg !== null))).toBe(true)
  expect(leads.every(({ email }) => email === '' || email.endsWith('.example'))).toBe(true)

  const before = await allOfLeads(db)
  await seedDemoLeads(db, '2026-04-01')
  expect(await allOfLeads(db)).toEqual(before)
})

test('on the first day of a month the current month has leads too', async () => {
  const { as, db } = await startTestApp({ now: '2026-03-01T09:00:00Z' })
  await seedDemoLeads(db, '2026-03-01')
  expect((await as('crm').get('/admin/users/get-demo-requests')).total).toBe(34)
})
