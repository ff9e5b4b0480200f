import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { winLead } from '#features/crm/onboarding/server/onboarding.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'

type Who = Parameters<TestApp['as']>[0]

/** Returns what a user can undo or redo in a record's history, newest first. */
async function offered({ as }: TestApp, who: Who, record: string) {
  const { data } = await as(who).get(`/admin/records/${record}/history`)
  return (data as { operation: { id: number; way: string } | null }[]).map(({ operation }) => operation)
}

test('the history offers an edit of a task to its author and to admins, until the task changes again', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const id = await enterTask(db)
  const { operation } = await as('admin').post(`/common/task/${id}`, { title: 'Racks' })
  const offer = (way: string) => [{ id: operation.id, way, changed: 1 }]
  expect(await offered(started, 'admin', `task/${id}`)).toEqual(offer('undo'))
  expect(await offered(started, 'super_admin', `task/${id}`)).toEqual(offer('undo'))
  expect(await offered(started, 7, `task/${id}`)).toEqual([null])
  expect(await as(7).post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ status: 404 })
  await as('admin').post(`/admin/operations/${operation.id}/undo`)
  expect(await offered(started, 'admin', `task/${id}`)).toEqual([null, ...offer('redo')])
  await as('admin').post(`/admin/operations/${operation.id}/redo`)
  await as('csm').post(`/common/task/${id}`, { title: 'Shelves' })
  expect((await offered(started, 'admin', `task/${id}`)).at(-1)).toBeNull()
})

test('the history does not offer an edit of a task to an author who lost the permission', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const id = await enterTask(db, { status: 4 })
  const granted = { role_id: 7, permission: 'view_task_notify' }
  await db
    .insertInto('role_permissions')
    .values(granted)
    .onConflict((on) => on.doNothing())
    .execute()
  await as(7).post(`/common/task/notification-status/${id}`)
  expect(await offered(started, 7, `task/${id}`)).toMatchObject([{ way: 'undo' }])
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 7)
    .where('permission', '=', 'view_task_notify')
    .execute()
  expect(await offered(started, 7, `task/${id}`)).toEqual([null])
})

test('the history offers a stage, and a note is offered with the note', async () => {
  const started = await startTestApp()
  const { as } = started
  const { id } = await winLead(started)
  const save = (comment: string) =>
    as('data_entry').post('/admin/users/post-onboarding', {
      lead_onboaring_id: id,
      stage: 1,
      schedule_comment: comment,
    })
  const first = await save('By video')
  expect((await offered(started, 'data_entry', `onboarding/${id}`))[0]).toMatchObject({
    id: first['operation'].id,
    way: 'undo',
  })
  expect((await offered(started, 'csm', `onboarding/${id}`))[0]).toBeNull()
  expect(await as('csm').post(`/admin/operations/${first['operation'].id}/undo`)).toMatchObject({
    status: 404,
  })
  const second = await save('By phone')
  const all = await offered(started, 'data_entry', `onboarding/${id}`)
  expect(all.slice(0, 2)).toEqual([{ id: second['operation'].id, way: 'undo', changed: 0 }, null])

  const note = await as('data_entry').post(`/admin/general/notes/onboarding/${id}`, { note: 'Seen' })
  const notes = async (who: Who) => (await as(who).get(`/admin/general/notes/onboarding/${id}`)).data
  expect(await notes('data_entry')).toMatchObject([
    { body: 'Seen', operation: { id: note['operation'].id, way: 'undo' } },
  ])
  expect(await notes('csm')).toMatchObject([{ body: 'Seen', operation: null }])
  await as('data_entry').post(`/admin/operations/${note['operation'].id}/undo`)
  expect(await notes('data_entry')).toEqual([])
  expect((await offered(started, 'data_entry', `onboarding/${id}`))[1]).toMatchObject({ way: 'redo' })
})
