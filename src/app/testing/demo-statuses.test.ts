import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { seedDemoLeads } from '#features/crm/leads/record/server/leads.seed.ts'
import { seedStatusChanges } from '#features/crm/leads/record/server/status-changes.seed.ts'
import { seedOrganizations } from '#features/crm/organizations/server/organizations.seed.ts'

test('the demo’s history of statuses ends when its leads got the status that they have', async () => {
  const { db } = await startTestApp()
  await seedDemoLeads(db, '2026-03-16')
  await seedOrganizations(db, '2026-03-16')
  await seedStatusChanges(db, '2026-03-16')
  const { rows } = await sql<{ leads: number; others: number }>`
    select count(*)::int as leads, (count(*) filter (where l.status_at::date <> c.changed_at::date or l.status <> c.to_status))::int as others
    from leads l join lateral (select * from lead_status_changes s where s.lead_id = l.lead_id order by s.changed_at desc, s.step desc limit 1) c on true
    where l.status = (select id from lead_statuses where is_won)`.execute(db)
  expect(rows[0]!.leads).toBeGreaterThan(50)
  expect(rows[0]!.others).toBe(0)
})
