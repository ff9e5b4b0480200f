import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/*
 * Operations on leads as versions before the shared record kit stored them: columns in `before` and `after`,
 * no endpoint, and the queue `lead-operation`. They are still undone, redone, and finished.
 */

interface StoredChange {
  lead_id: number
  before: object | null
  after: object
  version_before: number
}

/** Stores an operation and its changes; returns its ID. */
async function storeOld(
  { db, as }: TestApp,
  values: { kind: string; needs?: string; state?: string; todo?: number[]; change?: object },
  changes: readonly StoredChange[],
): Promise<number> {
  const { id } = await db
    .insertInto('operations')
    .values({
      summary: 'Changed',
      needs: 'lead_edit',
      staff_id: as('crm').id,
      ...values,
      change: values.change ? JSON.stringify(values.change) : null,
      changed: changes.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { lead_id, before, after, version_before } of changes)
    await db
      .insertInto('record_changes')
      .values({
        operation_id: id,
        record_type: 'lead',
        record_id: lead_id,
        before: before && JSON.stringify(before),
        after: JSON.stringify(after),
        version_before,
        version_after: version_before + 1,
      })
      .execute()
  return id
}

const leadOf = async ({ db }: TestApp, id: number) => {
  const lead = await db.selectFrom('leads').selectAll().where('lead_id', '=', id).executeTakeFirstOrThrow()
  const tags = await db
    .selectFrom('lead_tag_links')
    .select('tag_id')
    .where('lead_id', '=', id)
    .orderBy('tag_id')
    .execute()
  return { ...lead, tag_ids: tags.map(({ tag_id }) => tag_id) }
}
const turn = ({ as }: TestApp, id: number, way: 'undo' | 'redo') =>
  as('crm').post(`/admin/operations/${id}/${way}`)
const resume = ({ app, db }: TestApp, id: number) =>
  db.transaction().execute((tx) => app.jobs.send(tx, 'lead-operation', { id }))
const stateOf = ({ db }: TestApp, id: number) =>
  db
    .selectFrom('operations')
    .select(['state', 'seen', 'changed'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test('a change of columns and tags is undone and redone', async () => {
  const started = await startTestApp()
  const id = await enterLead(started.db, { company_name: 'New', status: 3, phone: '2', version: 2 })
  await started.db.insertInto('lead_tag_links').values({ lead_id: id, tag_id: 2 }).execute()
  const operation = await storeOld(started, { kind: 'edit' }, [
    {
      lead_id: id,
      before: { company_name: 'Old', status: 1, phone: '1', tag_ids: [1] },
      after: { company_name: 'New', status: 3, phone: '2', tag_ids: [2] },
      version_before: 1,
    },
  ])
  expect(await turn(started, operation, 'undo')).toMatchObject({ status: 200, undone: 1, skipped: [] })
  expect(await leadOf(started, id)).toMatchObject({
    company_name: 'Old',
    status: 1,
    phone: '1',
    tag_ids: [1],
    version: 3,
  })
  expect((await started.as('crm').get(`/admin/records/lead/${id}/history`)).data[0].changes).toContainEqual({
    field: 'companyName',
    before: 'New',
    after: 'Old',
  })
  expect(await turn(started, operation, 'redo')).toMatchObject({ status: 200, redone: 1, skipped: [] })
  expect(await leadOf(started, id)).toMatchObject({
    company_name: 'New',
    status: 3,
    tag_ids: [2],
    version: 4,
  })
})

test('a merge is undone: the sessions and the key return to the lead in the trash', async () => {
  const started = await startTestApp()
  const { db } = started
  const keep = await enterLead(db, { reference: 'K2', version: 2 })
  const other = await enterLead(db, {
    reference: 'K2',
    version: 2,
    deleted_at: '2026-03-16T09:00:00Z',
    deleted_by: 1,
    merged_into: keep,
  })
  const { id: demo } = await db
    .insertInto('lead_demos')
    .values({ lead_id: keep, type: 'Demo', requested_date: '2026-04-10T15:00:00Z' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const operation = await storeOld(started, { kind: 'merge' }, [
    {
      lead_id: other,
      before: { deleted_at: null, deleted_by: null, merged_into: null, demo_ids: [demo] },
      after: { deleted_at: '2026-03-16T09:00:00Z', deleted_by: 1, merged_into: keep, demo_ids: [] },
      version_before: 1,
    },
    {
      lead_id: keep,
      before: { reference: 'K1', details: [{ label: 'Sector', value: 'Hotel' }], demo_ids: [] },
      after: { reference: 'K2', details: [], demo_ids: [demo] },
      version_before: 1,
    },
  ])
  expect(await turn(started, operation, 'undo')).toMatchObject({ status: 200, undone: 2, skipped: [] })
  expect(await leadOf(started, keep)).toMatchObject({
    reference: 'K1',
    details: [{ label: 'Sector', value: 'Hotel' }],
  })
  expect(await leadOf(started, other)).toMatchObject({
    reference: 'K2',
    deleted_at: null,
    deleted_by: null,
    merged_into: null,
  })
  expect(await db.selectFrom('lead_demos').select(['id', 'lead_id']).execute()).toEqual([
    { id: demo, lead_id: other },
  ])
})

test('an import is undone: new leads move to the trash, and changed ones get their values back', async () => {
  const started = await startTestApp()
  const [created, changed] = [
    await enterLead(started.db),
    await enterLead(started.db, { country: 'Norway', version: 2 }),
  ]
  const operation = await storeOld(started, { kind: 'import', needs: 'lead_create' }, [
    { lead_id: created, before: null, after: {}, version_before: 0 },
    { lead_id: changed, before: { country: '' }, after: { country: 'Norway' }, version_before: 1 },
  ])
  expect(await turn(started, operation, 'undo')).toMatchObject({ status: 200, undone: 2 })
  expect(await leadOf(started, created)).toMatchObject({ deleted_by: started.as('crm').id })
  expect(await leadOf(started, changed)).toMatchObject({ country: '' })
  expect(await turn(started, operation, 'redo')).toMatchObject({ status: 200, redone: 2 })
  expect(await leadOf(started, created)).toMatchObject({ deleted_at: null })
  expect(await leadOf(started, changed)).toMatchObject({ country: 'Norway' })
})

test('a bulk change that a stop interrupted is finished, and then undone', async () => {
  const started = await startTestApp()
  const ids = [await enterLead(started.db), await enterLead(started.db), await enterLead(started.db)]
  await started.db.insertInto('lead_tag_links').values({ lead_id: ids[1]!, tag_id: 7 }).execute()
  await sql`update leads set version = 2, status = 3 where lead_id = ${ids[0]}`.execute(started.db)
  const operation = await storeOld(
    started,
    {
      kind: 'tags',
      state: 'running',
      todo: ids,
      change: { kind: 'tags', tag_id: 2, add: true },
    },
    [],
  )
  await resume(started, operation)
  await expect
    .poll(() => stateOf(started, operation), { interval: 50 })
    .toEqual({ state: 'done', seen: 3, changed: 3 })
  expect((await leadOf(started, ids[1]!)).tag_ids).toEqual([2, 7])
  expect((await started.as('crm').get(`/admin/records/lead/${ids[1]}/history`)).data[0]).toMatchObject({
    endpoint: 'POST /admin/users/change-leads',
    changes: [{ field: 'tag_ids', before: [7], after: [2, 7] }],
  })
  expect(await turn(started, operation, 'undo')).toMatchObject({ status: 200, undone: 3 })
  expect((await leadOf(started, ids[1]!)).tag_ids).toEqual([7])
})

test('an undo and a redo that a stop interrupted are finished', async () => {
  const started = await startTestApp()
  const id = await enterLead(started.db, { color: 2, version: 2 })
  const operation = await storeOld(started, { kind: 'color', needs: 'lead_select_pripority' }, [
    { lead_id: id, before: { color: 0 }, after: { color: 2 }, version_before: 1 },
  ])
  const set = (state: string) =>
    started.db
      .updateTable('operations')
      .set({ state, undone_at: '2026-03-16T09:00:00Z', undone_by: started.as('crm').id })
      .where('id', '=', operation)
      .execute()
  await set('undoing')
  await resume(started, operation)
  await expect.poll(async () => (await stateOf(started, operation)).state, { interval: 50 }).toBe('undone')
  expect(await leadOf(started, id)).toMatchObject({ color: 0, version: 3 })
  await set('redoing')
  await resume(started, operation)
  await expect.poll(async () => (await stateOf(started, operation)).state, { interval: 50 }).toBe('done')
  expect(await leadOf(started, id)).toMatchObject({ color: 2, version: 4 })
})
