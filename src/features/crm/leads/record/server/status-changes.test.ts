import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { seedDemoLeads } from '#features/crm/leads/record/server/leads.seed.ts'
import type { Db } from '#server/db/db.ts'

const noted = (db: Db, lead_id: number) =>
  db
    .selectFrom('lead_status_changes')
    .select(['step', 'from_status as from', 'to_status as to', 'is_first', 'assignee_id as by'])
    .where('lead_id', '=', lead_id)
    .orderBy('step')
    .execute()

const created = { step: 0, from: null, to: 1, is_first: true, by: null }

test('a lead’s statuses are noted from its creation, with the assignee and the reason of that time', async () => {
  const { as, db } = await startTestApp()
  const by = as('crm').id
  const id = await enterLead(db)
  expect(await noted(db, id)).toEqual([created])
  await as('crm').get(`/admin/users/change-lead-status?id=${id}&status=2`)
  await db.updateTable('leads').set({ assign_to: by }).where('lead_id', '=', id).execute()
  await as('crm').get(`/admin/users/change-lead-status?id=${id}&status=1`)
  await db
    .updateTable('leads')
    .set({ status: 8, reject_reason_id: 2, reject_msg: 'Too expensive' })
    .where('lead_id', '=', id)
    .execute()
  await db.updateTable('leads').set({ assign_to: null, color: 2 }).where('lead_id', '=', id).execute()
  expect(await noted(db, id)).toEqual([
    created,
    { step: 1, from: 1, to: 2, is_first: true, by: null },
    { step: 2, from: 2, to: 1, is_first: false, by },
    { step: 3, from: 1, to: 8, is_first: true, by },
  ])
  const { reject_reason_id } = await db
    .selectFrom('lead_status_changes')
    .select('reject_reason_id')
    .where('lead_id', '=', id)
    .where('step', '=', 3)
    .executeTakeFirstOrThrow()
  expect(reject_reason_id).toBe(2)
})

test('a status that was undone was never reached, and one that was redone is reached again', async () => {
  const { as, db } = await startTestApp()
  const ids = [await enterLead(db), await enterLead(db)]
  await as('crm').get(`/admin/users/change-lead-status?id=${ids[1]}&status=3`)
  const { operation } = await as('crm').post('/admin/users/change-leads', {
    selection: { ids },
    change: { kind: 'status', status: 6 },
  })
  const proposal = (from: number, step: number) => ({ step, from, to: 6, is_first: true, by: null })
  const qualified = { step: 1, from: 1, to: 3, is_first: true, by: null }
  const changed = [
    [created, proposal(1, 1)],
    [created, qualified, proposal(3, 2)],
  ]
  const now = async () => [await noted(db, ids[0]!), await noted(db, ids[1]!)]
  expect(await now()).toEqual(changed)
  const { id } = operation as { id: number }
  await as('crm').post(`/admin/operations/${id}/undo`)
  expect(await now()).toEqual([[created], [created, qualified]])
  await as('crm').post(`/admin/operations/${id}/redo`)
  expect(await now()).toEqual(changed)
})

test('a lead that is created with another status has only that', async () => {
  const { as, db } = await startTestApp()
  const { data } = await as('crm').post('/admin/users/save-demo-requests', {
    companyName: 'Tamsel Clinic',
    lead_for: 1,
    status: 3,
  })
  expect(await noted(db, (data as { lead_id: number }).lead_id)).toMatchObject([
    { step: 0, from: null, to: 3 },
  ])
})

test('the demo leads came through the pipeline to the status that they have', async () => {
  const { db } = await startTestApp()
  await seedDemoLeads(db, '2026-03-16')
  const changes = await db
    .selectFrom('lead_status_changes as c')
    .innerJoin('leads as l', 'l.lead_id', 'c.lead_id')
    .select(['c.lead_id', 'c.step', 'c.to_status', 'c.since', 'c.changed_at', 'l.status'])
    .orderBy('c.lead_id')
    .orderBy('c.step')
    .execute()
  const last = new Map(changes.map((change) => [change.lead_id, change]))
  expect(last.size).toBe(400)
  for (const { to_status, status } of last.values()) expect(to_status).toBe(status)
  for (const { since, changed_at } of changes) expect((since ?? '') <= changed_at).toBe(true)
  expect(changes.length).toBeGreaterThan(1000)
})

test('the migration finds in the history what the triggers noted', async () => {
  const { as, db } = await startTestApp()
  const ids = [
    await enterLead(db),
    await enterLead(db),
    await enterLead(db),
    await enterLead(db, { status: 3 }),
  ]
  const set = (index: number, status: number) =>
    as('crm').get(`/admin/users/change-lead-status?id=${ids[index]}&status=${status}`)
  await set(0, 2)
  await set(0, 7)
  const undone = await set(1, 5)
  await as('crm').post(`/admin/operations/${(undone['operation'] as { id: number }).id}/undo`)
  await set(1, 2)
  // A change that no operation has.
  await db.updateTable('leads').set({ status: 4 }).where('lead_id', '=', ids[2]!).execute()
  const all = async () => Promise.all(ids.map((id) => noted(db, id)))
  const before = await all()
  expect(before.map((changes) => changes.length)).toEqual([3, 2, 2, 1])
  const migration = await readFile('src/server/db/migrations/0283_lead_status_changes.sql', 'utf8')
  const statement = migration.slice(migration.indexOf('with known'), migration.indexOf('create function'))
  await db.deleteFrom('lead_status_changes').execute()
  await sql.raw(statement).execute(db)
  expect(await all()).toEqual(before)
})
