import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { sweep } from '#server/sweep.ts'

test('old idempotency keys and expired counts are removed, the others stay', async () => {
  const { app, as, db } = await startTestApp()
  const key = (name: string, created_at: string) => ({
    staff_id: as('crm').id,
    key: name,
    endpoint: 'POST /x',
    request_hash: Buffer.alloc(32),
    created_at,
  })
  const now = new Date()
  await db
    .insertInto('idempotency_keys')
    .values([
      key('an-old-key', new Date(now.getTime() - 4 * 86_400_000).toISOString()),
      key('a-new-key', now.toISOString()),
    ])
    .execute()
  await db
    .insertInto('login_failures')
    .values([
      { key: 'passed', points: 1, expire: now.getTime() - 1000 },
      { key: 'counting', points: 1, expire: now.getTime() + 60_000 },
    ])
    .execute()
  await sweep(app.pool)
  expect((await db.selectFrom('idempotency_keys').select('key').execute()).map((row) => row.key)).toEqual([
    'a-new-key',
  ])
  expect((await db.selectFrom('login_failures').select('key').execute()).map((row) => row.key)).toEqual([
    'counting',
  ])
})
