import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { seedCalls } from '#features/crm/leads/calls/server/calls.seed.ts'
import { seedDemoLeads } from '#features/crm/leads/record/server/leads.seed.ts'

test('the demo has calls with each outcome, always the same', async () => {
  const { db } = await startTestApp()
  await seedDemoLeads(db, '2026-03-16')
  const all = () => db.selectFrom('lead_calls').selectAll().orderBy('id').execute()
  await seedCalls(db)
  const calls = await all()
  expect(new Set(calls.map(({ outcome }) => outcome))).toEqual(new Set([1, 2, 3, 4]))
  expect(new Set(calls.map(({ direction }) => direction))).toEqual(new Set(['in', 'out']))
  await seedCalls(db)
  expect(await all()).toEqual(calls)
})
