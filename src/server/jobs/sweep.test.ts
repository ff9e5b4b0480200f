import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { countFailure } from '#server/jobs/failures.ts'
import { scheduleSweep, sweep } from '#server/jobs/sweep.ts'

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

test('a statement that fails is logged and counted, and those after it run', async () => {
  const { app, db } = await startTestApp()
  await db.insertInto('login_failures').values({ key: 'passed', points: 1, expire: 1 }).execute()
  const logged: unknown[] = []
  const broken = {
    query: (statement: string) =>
      statement.includes('idempotency_keys')
        ? Promise.reject(new Error('no such table'))
        : app.pool.query(statement),
  }
  const onFailure = countFailure({ error: (details) => logged.push(details) }, 'a sweep failed in a test')
  await sweep(broken as never, onFailure)
  await sweep(broken as never, onFailure)
  expect(await db.selectFrom('login_failures').select('key').execute()).toEqual([])
  expect(logged).toEqual([
    { err: new Error('no such table'), failures: 1 },
    { err: new Error('no such table'), failures: 2 },
  ])
})

test('every hour, one of the processes sweeps the database', async () => {
  const { app, db } = await startTestApp()
  await db.insertInto('login_failures').values({ key: 'passed', points: 1, expire: 1 }).execute()
  const scheduled: [string, string, () => Promise<void>][] = []
  scheduleSweep(
    { every: (...job: (typeof scheduled)[0]) => scheduled.push(job) } as never,
    app.pool,
    app.http.log,
  )
  expect(scheduled).toEqual([['sweep', expect.stringMatching(/^\d+ \* \* \* \*$/), expect.any(Function)]])
  await scheduled[0]![2]()
  expect(await db.selectFrom('login_failures').select('key').execute()).toEqual([])
})
