import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'

test('with AUDIT_LOG, changes and security events are in the file, without values or secrets; reads are not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'panel-audit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'logs', 'audit.log')
  const { as } = await startTestApp({ env: { AUDIT_LOG: file } })
  await as('admin').get('/common/quick-task')
  const { data } = await as('admin').post('/common/quick-task', { title: 'A very private title' })
  await as(undefined).post('/auth/login', { username: 'admin', password: 'a wrong password' })
  await as('designer').get('/admin/users/lead-reminders')
  await as('super_admin').post('/admin/roles/change-permissions', { role_id: 7, grant: ['setting_view'] })
  await as('admin').get('/admin/users/admin-log/export')
  const text = await readFile(file, 'utf8')
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(
    lines.map(({ security, status, act, records, staff }) => ({ security, status, act, records, staff })),
  ).toEqual([
    { status: 200, act: expect.any(String), records: [`quick_task ${data?.id}`], staff: as('admin').id },
    { security: 'Signed in', status: 401 },
    { security: 'Refused', status: 403, staff: as('designer').id },
    {
      security: 'Changed permissions',
      status: 200,
      act: 'Changed permissions',
      records: expect.any(Array),
      staff: as('super_admin').id,
    },
    { security: 'Exported', status: 200, staff: as('admin').id },
  ])
  expect(lines.every(({ address, time }) => address === '127.0.0.1' && typeof time === 'string')).toBe(true)
  for (const secret of ['private title', 'wrong password', as('admin').token])
    expect(text).not.toContain(secret)
})

test('the log has a line per answer, but none for a probe or a scrape, unless it was refused', async () => {
  const { app, as } = await startTestApp({ env: { METRICS_TOKEN: 'a-token-for-the-metrics' } })
  const logged = vi.spyOn(app.http.log, 'info')
  const scrape = async (token: string) =>
    as(undefined).send('GET', '/metrics', undefined, { headers: { authorization: `Bearer ${token}` } })
  expect((await as(undefined).get('/health')).status).toBe(200)
  expect((await as(undefined).get('/ready')).status).toBe(200)
  expect((await scrape('a-token-for-the-metrics')).status).toBe(200)
  expect(logged).not.toHaveBeenCalled()
  await scrape('a-wrong-token')
  await as(undefined).get('/config')
  expect(logged.mock.calls).toEqual([
    [expect.objectContaining({ path: '/api/metrics', status: 401, security: 'Refused' }), 'answered'],
    [expect.objectContaining({ path: '/api/config', status: 200 }), 'answered'],
  ])
})
