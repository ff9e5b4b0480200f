import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { winLead } from '#features/crm/onboarding/server/onboarding.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'
import type { Permission, RoleId } from '#shared/access.ts'

/** An action by a user who then loses the permission for it. */
interface Tried {
  who: RoleId
  /** Performs the action, and returns the operation and the table and ID of its record. */
  act: (
    started: TestApp,
    send: TestApp['as'],
  ) => Promise<{ operation: { id: number }; from: [string, number] }>
  loses: Permission | 'moderating' | { becomes: RoleId }
}

const tried: Record<string, Tried> = {
  'renaming a tag': {
    who: 1,
    act: async ({ db }, as) => {
      const { id } = await db
        .insertInto('post_tags')
        .values({ name: 'Cooling', slug: `cooling-${Math.random()}` })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { operation } = await as(1).send('PUT', `/admin/tags/${id}`, { name: `Chilling ${id}` })
      return { operation, from: ['post_tags', id] }
    },
    loses: { becomes: 12 },
  },
  'deleting a customer’s user': {
    who: 1,
    act: async ({ db }, as) => {
      const id = await enterUser(db, await enterOrganization(db), 'Aino')
      const { operation } = await as(1).send('DELETE', `/admin/users/${id}`)
      return { operation, from: ['customer_users', id] }
    },
    loses: { becomes: 4 },
  },
  'deleting a customer’s user without the list': {
    who: 1,
    act: async ({ db }, as) => {
      const id = await enterUser(db, await enterOrganization(db), 'Aino')
      const { operation } = await as(1).send('DELETE', `/admin/users/${id}`)
      return { operation, from: ['customer_users', id] }
    },
    loses: 'all_users_list',
  },
  'deleting a task': {
    who: 10,
    act: async ({ db }, as) => {
      const id = await enterTask(db)
      const { operation } = await as(10).send('DELETE', `/common/task/${id}`)
      return { operation, from: ['tasks', id] }
    },
    loses: 'delete_task',
  },
  'restoring a task': {
    who: 10,
    act: async ({ db }, as) => {
      const id = await enterTask(db, { deleted_at: '2026-03-01T00:00:00Z', deleted_by: as(10).id })
      const { operation } = await as(10).post('/admin/records/task/restore', { ids: [id] })
      return { operation, from: ['tasks', id] }
    },
    loses: 'delete_task',
  },
  'assigning a task': {
    who: 10,
    act: async ({ db }, as) => {
      const id = await enterTask(db)
      const { operation } = await as(10).post(`/common/task/assign/${id}`, { assigned_to: as('admin').id })
      return { operation, from: ['tasks', id] }
    },
    loses: 'view_task_assign_to',
  },
  'holding an onboarding': {
    who: 10,
    act: async (started, as) => {
      const { id } = await winLead(started)
      const body = { id, status: 2, hold_reason: 'Holiday' }
      const { operation } = await as(10).post('/admin/users/update-onboaring-status', body)
      return { operation, from: ['onboardings', id] }
    },
    loses: 'onboarding_on_hold',
  },
  'deleting a ticket': {
    who: 1,
    act: async ({ db }, as) => {
      const { id } = await enterTicket(db)
      const { operation } = await as(1).send('DELETE', `/admin/support/ticket/${id}`)
      return { operation, from: ['tickets', id] }
    },
    loses: 'all_tickets_delete',
  },
  'publishing a post': {
    who: 3,
    act: async (_started, as) => {
      const title = `News ${Math.random()}`
      const { data: category } = await as(1).post('/admin/categories?product_id=1', { title })
      const { data: post } = await as(1).post('/admin/posts?product_id=1', {
        title,
        body: '<p>Hello</p>',
        category: category.id,
      })
      await as(1).post(`/admin/categories/${category.id}/moderators`, { staff_ids: [as(3).id] })
      const { operation } = await as(3).post(
        `/admin/posts/${post.slug}/publishing?action=publish&product_id=1`,
      )
      return { operation, from: ['articles', post.id] }
    },
    loses: 'moderating',
  },
}

async function rowOf({ app }: TestApp, [table, id]: [string, number]): Promise<unknown> {
  return (await app.pool.query(`select * from ${table} where id = $1`, [id])).rows[0]
}

async function lose({ db, as }: TestApp, { who, loses }: Tried): Promise<void> {
  if (loses === 'moderating')
    await db.deleteFrom('category_moderators').where('staff_id', '=', as(who).id).execute()
  else if (typeof loses === 'string')
    await db
      .deleteFrom('role_permissions')
      .where('role_id', '=', who)
      .where('permission', '=', loses)
      .execute()
  else await db.updateTable('staff').set({ role_id: loses.becomes }).where('id', '=', as(who).id).execute()
}

test.each(Object.entries(tried))('%s: undo and redo ask what the action asks today', async (_what, one) => {
  const started = await startTestApp()
  const send = started.as
  const turn = (id: number, way: 'undo' | 'redo') => send(one.who).post(`/admin/operations/${id}/${way}`)
  const { operation, from } = await one.act(started, send)
  // Control: with the permission, both undo and redo are possible.
  expect(await turn(operation.id, 'undo')).toMatchObject({ status: 200, undone: 1 })
  expect(await turn(operation.id, 'redo')).toMatchObject({ status: 200, redone: 1 })
  const undone = await one.act(started, send)
  expect(await turn(undone.operation.id, 'undo')).toMatchObject({ status: 200, undone: 1 })
  await lose(started, one)
  for (const [{ id }, way, at] of [
    [operation, 'undo', from],
    [undone.operation, 'redo', undone.from],
  ] as const) {
    const before = await rowOf(started, at)
    expect(await turn(id, way)).toMatchObject({ status: 403 })
    expect(await rowOf(started, at)).toEqual(before)
  }
})

test('a person with delete_task only undoes their own deletion', async () => {
  const started = await startTestApp()
  const { operation } = await tried['deleting a task']!.act(started, started.as)
  await started.db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 10)
    .where('permission', '=', 'edit_task')
    .execute()
  expect(await started.as(10).post(`/admin/operations/${operation.id}/undo`)).toMatchObject({
    status: 200,
    undone: 1,
  })
})

test('an operation from before the access was stored needs the permission of its kind', async () => {
  const started = await startTestApp()
  const { operation } = await tried['deleting a task']!.act(started, started.as)
  await started.db
    .updateTable('operations')
    .set({ endpoint: '', needs: 'edit_task' })
    .where('id', '=', operation.id)
    .execute()
  const undo = () => started.as(10).post(`/admin/operations/${operation.id}/undo`)
  await lose(started, tried['deleting a task']!)
  expect((await undo()).status).toBe(403)
  await started.db.insertInto('role_permissions').values({ role_id: 10, permission: 'delete_task' }).execute()
  expect((await undo()).status).toBe(200)
})

test('the trash of customers’ users asks for what their deletion asks for', async () => {
  const started = await startTestApp()
  const { db, as } = started
  const id = await enterUser(db, await enterOrganization(db), 'Aino')
  const calls = [
    () => as(1).post('/admin/records/customer_user/trash', { ids: [id] }),
    () => as(1).post('/admin/records/customer_user/restore', { ids: [id] }),
    () => as(1).get('/admin/records/customer_user/trash'),
  ]
  const statuses = async () => {
    const given = []
    for (const call of calls) given.push((await call()).status)
    return given
  }
  expect(await statuses()).toEqual([200, 200, 200])
  await lose(started, { ...tried['deleting a customer’s user']!, loses: 'all_users_list' })
  expect(await statuses()).toEqual([403, 403, 403])
})
