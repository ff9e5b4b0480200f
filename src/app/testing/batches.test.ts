import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'
import { batchSize } from '#shared/operations.ts'
import { processOperationBatch } from '#server/record/batches.ts'
import { engineOf } from '#server/record/undo.ts'

/* Operations on more records than fit into one transaction, of types other than leads. */

const many = 2 * batchSize + 3
const path = '/admin/records'
const inBackground = {
  status: 200,
  message: 'The change continues in the background. You can leave this page.',
}

const enterTags = async ({ db }: TestApp): Promise<number[]> => {
  const { rows } = await sql<{
    id: number
  }>`insert into post_tags (name, slug) select 'Tag ' || n, 'tag-' || n from generate_series(1, ${many}) n returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
const inTrash = async ({ db }: TestApp) => {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from post_tags where deleted_at is not null`.execute(db)
  return rows[0]!.count
}
const show = (who: TestClient, id: number) => who.get(`/admin/operations/${id}`)
const finished = (who: TestClient, id: number, state: string) =>
  expect.poll(async () => (await show(who, id))['data'].state, { interval: 50 }).toBe(state)

test('records are trashed, undone, and redone in the background, with progress, as one operation', async () => {
  const started = await startTestApp()
  const admin = started.as('admin')
  const ids = await enterTags(started)
  const reply = await admin.post(`${path}/tag/trash`, { ids })
  expect(reply).toMatchObject({
    ...inBackground,
    operation: { summary: 'Moved to trash: 1,003 tags', running: true },
  })
  const { id } = reply['operation']
  await finished(admin, id, 'done')
  expect(await show(admin, id)).toMatchObject({
    data: { total: many, seen: many, changed: many, skipped: 0, kind: 'delete', record_type: 'tag' },
    skipped: [],
  })
  expect(await inTrash(started)).toBe(many)
  expect((await admin.post(`/admin/operations/${id}/undo`))['message']).toBe(
    'This is being undone in the background. You can leave this page.',
  )
  expect((await admin.post(`/admin/operations/${id}/undo`)).status).toBe(409)
  await finished(admin, id, 'undone')
  expect(await inTrash(started)).toBe(0)
  expect(await admin.post(`/admin/operations/${id}/redo`)).toMatchObject({
    status: 200,
    operation: { id, running: true },
  })
  await finished(admin, id, 'done')
  expect(await inTrash(started)).toBe(many)
  const history = (await admin.get(`${path}/tag/trash`))['data'][0]
  expect(history).toMatchObject({ deleted_by: 'Martin Keller' })
  const audited = await sql<{
    endpoint: string
    count: number
  }>`select endpoint, count(*) as count from audit_log
    where target_type = 'tag' group by 1 order by 1`.execute(started.db)
  expect(audited.rows).toEqual([
    { endpoint: 'POST /admin/operations/{id}/redo', count: many },
    { endpoint: 'POST /admin/operations/{id}/undo', count: many },
    { endpoint: 'POST /admin/records/{type}/trash', count: many },
  ])
})

test('a record whose name is taken stays in the trash, and the operation says why', async () => {
  const started = await startTestApp()
  const admin = started.as('admin')
  const ids = await enterTags(started)
  await admin.post(`${path}/tag/trash`, { ids: ids.slice(0, batchSize) })
  await admin.post(`${path}/tag/trash`, { ids: ids.slice(batchSize, 2 * batchSize) })
  await admin.post(`${path}/tag/trash`, { ids: ids.slice(2 * batchSize) })
  await started.db.insertInto('post_tags').values({ name: 'Tag 700', slug: 'again' }).execute()
  const reply = await admin.post(`${path}/tag/restore`, { search: '' })
  expect(reply).toMatchObject({ ...inBackground, restored: [], operation: { running: true } })
  const { id } = reply['operation']
  await finished(admin, id, 'done')
  expect(await show(admin, id)).toMatchObject({
    data: { total: many, seen: many, changed: many - 1, skipped: 1 },
    skipped: [{ id: ids[699], name: 'Tag 700', why: expect.any(String) }],
    skipped_total: 1,
  })
  // Undo and redo leave the record alone.
  await admin.post(`/admin/operations/${id}/undo`)
  await finished(admin, id, 'undone')
  expect(await inTrash(started)).toBe(many)
  await admin.post(`/admin/operations/${id}/redo`)
  await finished(admin, id, 'done')
  expect(await inTrash(started)).toBe(1)
})

test('each batch checks that the user still has the permission, and the changes up to then can be undone', async () => {
  const started = await startTestApp()
  const { app, as, db } = started
  app.jobs.send = () => Promise.resolve()
  const ids = await enterTags(started)
  const { operation } = await as('admin').post(`${path}/tag/trash`, { ids })
  const batch = () => db.transaction().execute((tx) => processOperationBatch(tx, engineOf(app), operation.id))
  expect(await batch()).toMatchObject({ finished: false })
  await db.updateTable('staff').set({ role_id: 12 }).where('id', '=', as('admin').id).execute()
  expect(await batch()).toMatchObject({ finished: true })
  expect(await inTrash(started)).toBe(batchSize)
  expect(await show(as('super_admin'), operation.id)).toMatchObject({
    data: {
      state: 'failed',
      seen: batchSize,
      changed: batchSize,
      stopped: { reason: 'permission', who: 'Martin Keller' },
    },
  })
  expect(await as('super_admin').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({
    undone: batchSize,
  })
  expect(await inTrash(started)).toBe(0)
})

test('an undo that stops says why, and another user continues it', async () => {
  const started = await startTestApp()
  const { app, as, db } = started
  app.jobs.send = () => Promise.resolve()
  const { operation } = await as('admin').post(`${path}/tag/trash`, { ids: await enterTags(started) })
  const batch = () => db.transaction().execute((tx) => processOperationBatch(tx, engineOf(app), operation.id))
  const finish = async () => {
    while (!(await batch())?.finished);
  }
  await finish()
  const undo = (who: string) => as(who).post(`/admin/operations/${operation.id}/undo`)
  expect(await undo('admin')).toMatchObject({ status: 200, operation: { running: true } })
  await batch()
  await db.updateTable('staff').set({ banned_at: '2026-03-16' }).where('id', '=', as('admin').id).execute()
  expect(await batch()).toMatchObject({ finished: true })
  expect(await inTrash(started)).toBe(many - batchSize)
  expect((await show(as('super_admin'), operation.id))['data']).toMatchObject({
    state: 'done',
    stopped: { reason: 'account', who: 'Martin Keller' },
  })
  expect(await undo('editor')).toMatchObject({ status: 404 })
  expect(await undo('super_admin')).toMatchObject({ status: 200 })
  await finish()
  expect(await inTrash(started)).toBe(0)
  expect((await show(as('super_admin'), operation.id))['data']).toMatchObject({
    state: 'undone',
    stopped: null,
  })
})

test('an operation is shown to its author and to roles 0 and 1 only', async () => {
  const started = await startTestApp()
  const { as } = started
  const ids = await enterTags(started)
  const { operation } = await as('super_admin').post(`${path}/tag/trash`, { ids: ids.slice(0, 2) })
  expect(await show(as('super_admin'), operation.id)).toMatchObject({ status: 200, data: { changed: 2 } })
  expect((await show(as('admin'), operation.id)).status).toBe(200)
  expect((await show(as('editor'), operation.id)).status).toBe(404)
  expect((await show(as(undefined), operation.id)).status).toBe(401)
  expect((await show(as('admin'), 99_999)).status).toBe(404)
})
