import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'

const token = 'a token of at least sixteen characters'
const get = (app: Awaited<ReturnType<typeof startTestApp>>['app'], sent?: string) =>
  app.http.inject({
    url: '/api/metrics',
    headers: sent === undefined ? {} : { authorization: `Bearer ${sent}` },
  })

test('the metrics need their token, and don’t exist without the setting', async () => {
  const without = await startTestApp()
  expect((await get(without.app, token)).statusCode).toBe(404)
  const { app } = await startTestApp({ env: { METRICS_TOKEN: token } })
  expect((await get(app)).statusCode).toBe(401)
  expect((await get(app, `${token}!`)).statusCode).toBe(401)
  expect((await get(app, token)).statusCode).toBe(200)
})

test('requests are counted by endpoint and status, whatever address was requested', async () => {
  const { app, as } = await startTestApp({ env: { METRICS_TOKEN: token } })
  await as('crm').get('/admin/users/lead-reminders')
  await as('designer').get('/admin/users/lead-reminders')
  for (const id of [1, 2, 3]) await as('admin').get(`/common/quick-task/${id}`)
  await as('admin').get('/nothing/here')
  for (const method of ['PUT', 'PATCH']) await as('admin').send(method, '/admin/users/lead-reminders')
  const text = (await get(app, token)).body
  const linesOf = (name: string) => text.split('\n').filter((line) => line.startsWith(name))
  expect(linesOf('http_requests_total')).toEqual(
    expect.arrayContaining([
      'http_requests_total{method="GET",route="/api/admin/users/lead-reminders",status="200"} 1',
      'http_requests_total{method="GET",route="/api/admin/users/lead-reminders",status="403"} 1',
      'http_requests_total{method="GET",route="/api/common/quick-task/:id",status="404"} 3',
      'http_requests_total{method="GET",route="none",status="404"} 1',
      'http_requests_total{method="PUT",route="none",status="405"} 1',
    ]),
  )
  expect(text).not.toContain('/nothing/here')
  for (const name of [
    'http_request_duration_seconds_bucket',
    'nodejs_eventloop_lag_seconds',
    'process_resident_memory_bytes',
    'db_pool_connections{state="open"}',
    'live_sockets 0',
    'job_queue_oldest_seconds',
    'database_size_bytes',
  ])
    expect([name, linesOf(name).length > 0]).toEqual([name, true])
})
