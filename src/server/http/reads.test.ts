import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { permissions } from '#shared/access.ts'
import { startTestApp, type Reply } from '#app/testing/start.testing.ts'

const read = (path: string, more: { query?: string; body?: object; permission?: string } = {}) => ({
  path,
  ...more,
})
const path = '/admin/reads'
const statusesOf = ({ replies }: Reply) =>
  (replies as { status: number }[] | undefined)?.map(({ status }) => status)

test('several reads are answered in one request, each as a separate call would be', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('quick_tasks')
    .values({ title: 'Call Aalto', type: 1, person: as('qa').id, created_by: as('qa').id })
    .execute()
  const ofOwn = `status=0&filters=${encodeURIComponent(JSON.stringify({ person: as('qa').id }))}`
  const own = { body: { assigned_to: as('qa').id, per_page: 10 } }
  const answer = await as('qa').post(path, {
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
  expect(answer.replies.slice(0, 2)).toEqual([
    { status: 200, body: bodyOf(tasks) },
    { status: 200, body: bodyOf(listed) },
  ])
  expect(statusesOf(answer)).toEqual([200, 200, 403, 422, 404])
})

test('a product of others, a change, a download, and reads within reads are refused', async () => {
  const { as, db } = await startTestApp()
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 4)
    .execute()
  const answer = await as('crm').post(path, {
    reads: [
      read('/admin/users/lead-numbers', { query: 'lead_for=1' }),
      read('/admin/users/lead-numbers', { query: 'lead_for=4' }),
      read('/admin/users/change-demorequest-status', { query: 'id=1&status=2' }),
      read('/admin/users/save-demo-requests', { body: { company_name: 'Aalto Linen', lead_for: 1 } }),
      read('/admin/users/get-demo-requests/export'),
      read(path, { body: { reads: [read('/admin/users/lead-numbers')] } }),
      read('/config'),
      read('/admin/records/{type}/trash'),
    ],
  })
  expect(statusesOf(answer)).toEqual([200, 403, 404, 404, 404, 404, 404, 404])
  expect(await db.selectFrom('leads').select('lead_id').execute()).toEqual([])
})

test('reads need a session, and are limited in number', async () => {
  const { as } = await startTestApp()
  const many = (count: number) => ({
    reads: Array.from({ length: count }, () => read('/admin/notices/unread')),
  })
  expect((await as(undefined).post(path, many(1))).status).toBe(401)
  expect((await as('qa').post(path, many(25))).status).toBe(200)
  expect((await as('qa').post(path, many(26))).status).toBe(422)
  expect((await as('qa').post(path, many(0))).status).toBe(422)
})

test('a read that fails leaves the others as they are', async () => {
  const { as, db } = await startTestApp()
  const all = { reads: [read('/common/quick-task'), read('/common/team/all'), read('/common/team/alltype')] }
  expect(statusesOf(await as('qa').post(path, all))).toEqual([200, 200, 200])
  await sql`alter table quick_tasks rename to gone`.execute(db)
  const answer = await as('qa').post(path, all)
  expect(statusesOf(answer)).toEqual([500, 200, 200])
  expect(answer.replies[0].body).toEqual({ message: 'Something went wrong on our end.' })
})

test('each read is answered as its own call for every role, whatever permission it names', async () => {
  const { as } = await startTestApp()
  const calls = [
    '/admin/users/lead-reminders',
    '/admin/roles',
    '/common/quick-task',
    '/admin/organization/reminders',
  ]
  for (const who of ['admin', 'crm', 'support', 'designer', 'data_entry', 'qa']) {
    const alone = []
    for (const call of calls) alone.push((await as(who).get(call)).status)
    for (const permission of [
      undefined,
      'no_such_thing',
      ...permissions.slice(0, 3),
      'lead_list',
      'admin_users_list',
    ])
      expect(
        statusesOf(
          await as(who).post(path, { reads: calls.map((call) => read(call, { permission: permission! })) }),
        ),
        who,
      ).toEqual(alone)
  }
})

test('a refused read is in the audit log as a refused call is', async () => {
  const file = join(tmpdir(), `panel-reads-${process.pid}.log`)
  onTestFinished(() => rm(file))
  const { as } = await startTestApp({ env: { AUDIT_LOG: file } })
  await as('qa').post(path, { reads: [read('/common/team/all'), read('/admin/notices/unread')] })
  await as('qa').post(path, { reads: [read('/common/team/all'), read('/admin/roles')] })
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ security: 'Refused', staff: as('qa').id }),
  ])
})
