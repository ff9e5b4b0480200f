import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { onTrial } from '#features/crm/organizations/rules.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'

test('organizations on trial are compared with those before the period, from the history of their status', async () => {
  const { as, db } = await startTestApp()
  const old = { created_at: '2026-01-01T00:00:00Z' }
  const [active, trial] = [1, onTrial]
  // Before the period, 2 were on trial; since then, one became active, one started a trial, and one is new.
  await enterOrganization(db, { ...old, status: trial })
  const converted = await enterOrganization(db, { ...old, status: active })
  const started = await enterOrganization(db, { ...old, status: trial })
  await enterOrganization(db, { created_at: '2026-03-10T00:00:00Z', status: trial })
  await db
    .insertInto('organization_status_changes')
    .values([
      {
        organization_id: converted,
        from_status: trial,
        to_status: active,
        changed_at: '2026-03-02T09:00:00Z',
      },
      { organization_id: started, from_status: active, to_status: trial, changed_at: '2026-03-15T09:00:00Z' },
      { organization_id: started, from_status: trial, to_status: active, changed_at: '2026-01-05T09:00:00Z' },
    ])
    .execute()
  const { on_trial } = await as('csm').get('/admin/users/organization-numbers?today=2026-03-16')
  expect(on_trial).toEqual({ total: 3, before: 2, parts: [2, 2, 2, 2, 2, 1, 1, 2, 2, 3] })
})

test('every change of the status is kept, also one that is undone', async () => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db, { status: 1 })
  const changed = await as('super_admin').get(`/admin/users/change-organization-status?org_id=${id}&status=3`)
  expect(changed.status).toBe(200)
  await db.updateTable('organizations').set({ name: 'Brennan Hotels' }).execute()
  await db.updateTable('organizations').set({ status: 1 }).execute()
  const rows = await db
    .selectFrom('organization_status_changes')
    .select(['from_status', 'to_status'])
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { from_status: 1, to_status: 3 },
    { from_status: 3, to_status: 1 },
  ])
})
