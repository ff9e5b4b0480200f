import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'

const read = (path: string, more: { query?: string; body?: object } = {}) => ({ path, ...more })
const path = '/admin/reads'

test('several reads are answered in one request, each as a separate call would be', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('quick_tasks')
    .values({ title: 'Call Aalto', type: 1, person: as('qa').id, created_by: as('qa').id })
    .execute()
  const ofOwn = `status=0&filters=${encodeURIComponent(JSON.stringify({ person: as('qa').id }))}`
  const own = { body: { assigned_to: as('qa').id, per_page: 10 } }
  const { replies } = await as('qa').post(path, {
    reads: [
      read('/common/quick-task', { query: ofOwn }),
      read('/common/task', own),
      read('/admin/roles'),
      read('/common/quick-task', { query: 'status=7' }),
      read('/admin/nowhere'),
    ],
  })
  const [tasks, listed] = [
    await as('qa').get(`/common/quick-task?${ofOwn}`),
    await as('qa').post('/common/task', own.body),
  ]
  const bodyOf = ({ text }: { text: string }): unknown => JSON.parse(text)
  expect(tasks.total).toBe(1)
  expect(replies.slice(0, 2)).toEqual([
    { status: 200, body: bodyOf(tasks) },
    { status: 200, body: bodyOf(listed) },
  ])
  expect(replies.slice(2).map(({ status }: { status: number }) => status)).toEqual([403, 422, 404])
})

test('a product of others, a change, a download, and reads within reads are refused', async () => {
  const { as, db } = await startTestApp()
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 4)
    .execute()
  const { replies } = await as('crm').post(path, {
    reads: [
      read('/admin/users/lead-numbers', { query: 'lead_for=1' }),
      read('/admin/users/lead-numbers', { query: 'lead_for=4' }),
      read('/admin/users/change-demorequest-status', { query: 'id=1&status=2' }),
      read('/admin/users/save-demo-requests', { body: { company_name: 'Aalto Linen', lead_for: 1 } }),
      read('/admin/users/get-demo-requests/export'),
      read(path, { body: { reads: [read('/admin/users/lead-numbers')] } }),
    ],
  })
  expect(replies.map(({ status }: { status: number }) => status)).toEqual([200, 403, 404, 404, 404, 404])
  expect(await db.selectFrom('leads').select('lead_id').execute()).toEqual([])
})

test('reads need a session, and are limited in number', async () => {
  const { as } = await startTestApp()
  const many = (count: number) => ({
    reads: Array.from({ length: count }, () => read('/admin/notices/unread')),
  })
  expect((await as(undefined).post(path, many(1))).status).toBe(401)
  expect((await as('qa').post(path, many(20))).status).toBe(200)
  expect((await as('qa').post(path, many(21))).status).toBe(422)
  expect((await as('qa').post(path, many(0))).status).toBe(422)
})
