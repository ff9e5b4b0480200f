import { expect, test } from 'vitest'
import { roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { delivered } from '#features/tasks/tasks/rules.ts'
import type { Db } from '#server/db/db.ts'

const today = '2026-03-16'
const path = `/common/task/workload?today=${today}`

interface Entered {
  assigned_to: number | null
  due_date?: string | null
  status?: number
  product_id?: number
  discipline?: string
  deleted_at?: string
  deleted_by?: number
}

const enter = (db: Db, tasks: readonly Entered[]) =>
  db
    .insertInto('tasks')
    .values(
      tasks.map((task) => ({ title: 'Count racks', product_id: 1, discipline: 'development', ...task })),
    )
    .execute()

test('open tasks are counted by assignee and due date, as many as the list has', async () => {
  const { as, db } = await startTestApp()
  const [mei, olena] = [as('developer').id, as('qa').id]
  await enter(db, [
    { assigned_to: mei, due_date: '2026-03-15' },
    { assigned_to: mei, due_date: '2026-03-16' },
    { assigned_to: mei, due_date: '2026-03-22' },
    { assigned_to: mei, due_date: '2026-03-23' },
    { assigned_to: mei, due_date: null },
    { assigned_to: olena, due_date: '2026-03-14' },
    { assigned_to: olena, due_date: '2026-03-14' },
    { assigned_to: olena, due_date: '2026-03-14', status: delivered },
    { assigned_to: olena, due_date: '2026-03-14', discipline: 'designer' },
    { assigned_to: olena, due_date: '2026-03-14', deleted_at: '2026-03-16', deleted_by: 1 },
    { assigned_to: null, due_date: '2026-03-14' },
  ])
  const { people } = await as('admin').get(path)
  expect(people).toEqual([
    { id: olena, name: expect.any(String), overdue: 2, week: 0, later: 0 },
    { id: mei, name: expect.any(String), overdue: 1, week: 2, later: 2 },
    { id: 0, name: 'Unassigned', overdue: 1, week: 0, later: 0 },
  ])
  const open = [0, 1, 2, 3, 5, 6, 7]
  const total = async (body: object) =>
    (await as('admin').post('/common/task', { status: open, assigned_to: mei, date: 'due_date', ...body }))
      .total
  expect([
    await total({ to: '2026-03-15' }),
    await total({ from: '2026-03-16', to: '2026-03-22' }),
    await total({}),
    await total({ assigned_to: 0 }),
  ]).toEqual([1, 2, 5, 1])
})

test('tasks of other products are not counted, and who can’t list tasks is refused', async () => {
  const { as, db } = await startTestApp()
  await enter(db, [{ assigned_to: as('developer').id, due_date: '2026-03-15', product_id: 4 }])
  expect((await as('admin').get(path)).people).toHaveLength(1)
  expect((await as('admin').get(`${path}&product_id=4`)).people).toHaveLength(1)
  expect((await as('admin').get(`${path}&product_id=1`)).people).toEqual([])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 4)
    .execute()
  expect((await as('admin').get(path)).people).toEqual([])
  for (const role of roleIds)
    expect([role, (await as(role).get(path)).status]).toEqual([
      role,
      (await as(role).post('/common/task', {})).status,
    ])
})
