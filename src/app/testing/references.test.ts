import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'

/* History and conflicts have names in place of the IDs of people, organizations, categories, and the like. */

const historyOf = async ({ as }: TestApp, record: string, who = 'admin') =>
  (await as(who).get(`/admin/records/${record}/history`))['data'][0].changes

async function withTask() {
  const started = await startTestApp()
  const aalto = await enterOrganization(started.db, { name: 'Aalto' }, [1])
  const hidden = await enterOrganization(started.db, { name: 'Hidden' }, [1, 2])
  const [type] = await started.db.selectFrom('task_types').selectAll().orderBy('id').limit(1).execute()
  return { ...started, aalto, hidden, type: type!, task: await enterTask(started.db) }
}

test('the history of a task names its customers and its type, but no customer that the viewer can’t see', async () => {
  const started = await withTask()
  const { as, db, aalto, hidden, type, task } = started
  const { status } = await as('admin').post(`/common/task/${task}`, {
    organization_ids: [aalto, hidden],
    task_type_id: type.id,
  })
  expect(status).toBe(200)
  const changes = (...customers: string[]) =>
    expect.arrayContaining([
      { field: 'organization_ids', before: [], after: expect.arrayContaining(customers) },
      { field: 'task_type_id', before: null, after: type.name },
    ])
  expect(await historyOf(started, `task/${task}`)).toEqual(changes('Aalto', 'Hidden'))
  await db.deleteFrom('organization_products').where('organization_id', '=', hidden).execute()
  expect(await historyOf(started, `task/${task}`)).toEqual(changes('Aalto', `#${hidden}`))
})

test('the history names an assignee who was banned', async () => {
  const started = await withTask()
  const { as, db, aalto } = started
  const { id, name } = await db
    .selectFrom('staff')
    .select(['id', 'name'])
    .where('id', '=', as('csm').id)
    .executeTakeFirstOrThrow()
  await as('admin').post(`/admin/organization/${aalto}/update`, { assign_to: id })
  await db.updateTable('staff').set({ banned_at: new Date().toISOString() }).where('id', '=', id).execute()
  expect(await historyOf(started, `organization/${aalto}`)).toContainEqual({
    field: 'assign_to',
    before: null,
    after: name,
  })
})

test('a conflict names the customers and the types of both sides', async () => {
  const { as, aalto, hidden, type, task } = await withTask()
  await as('admin').post(`/common/task/${task}`, { organization_ids: [aalto], task_type_id: type.id })
  const reply = await as('admin').post(`/common/task/${task}`, {
    organization_ids: [hidden],
    task_type_id: null,
    version: 1,
    base: { organization_ids: [], task_type_id: null },
  })
  expect(reply.status).toBe(409)
  expect(reply['clashes']).toMatchObject([
    { field: 'task_type_id', yours: null, theirs: type.name },
    { field: 'organization_ids', yours: ['Hidden'], theirs: ['Aalto'] },
  ])
})

test('the history of a post names its categories', async () => {
  const started = await startTestApp()
  const { as } = started
  const category = async (title: string) =>
    (await as('admin').post('/admin/categories?product_id=1', { title }))['data'].id
  const [news, help] = [await category('News'), await category('Help')]
  const { data } = await as('editor').post('/admin/posts?product_id=1', {
    title: 'Fresh linen daily',
    body: '<p>Hello</p>',
    category: news,
  })
  await as('editor').post(`/admin/posts/${data.id}`, { _method: 'PUT', category: help })
  expect(await historyOf(started, `post/${data.id}`, 'editor')).toContainEqual({
    field: 'category',
    before: 'News',
    after: 'Help',
  })
})
