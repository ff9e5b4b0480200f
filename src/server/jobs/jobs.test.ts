import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '#server/db/db.ts'
import { createEmptyDatabase, createTestDatabase } from '#server/db/testing.ts'
import { Jobs } from '#server/jobs/jobs.ts'

/** Creates a database that can temporarily refuse connections. */
async function startRefusing() {
  const [database, elsewhere] = [await createTestDatabase(), await createEmptyDatabase()]
  const [inside, outside] = [
    new pg.Pool({ ...database.connection, max: 1 }),
    new pg.Pool({ ...elsewhere.connection, max: 1 }),
  ]
  // Dropping a database can end a connection before the pool has closed it.
  for (const pool of [inside, outside]) {
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
  }
  const name = (await inside.query<{ name: string }>('select current_database() as name')).rows[0]!.name
  onTestFinished(async () => {
    await Promise.all([inside.end(), outside.end()])
    await Promise.all([database.drop(), elsewhere.drop()])
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: inside }) })
  return {
    db,
    connection: database.connection,
    allow: (allowed: boolean) => outside.query(`alter database ${name} with allow_connections ${allowed}`),
  }
}

function startJobs(connection: pg.PoolConfig) {
  const errors: string[] = []
  const jobs = new Jobs(connection, { error: (_details, text) => errors.push(text) })
  jobs.retryMs = 100
  onTestFinished(() => jobs.stop())
  return { jobs, errors }
}

test('a failed start is retried automatically, and then waiting jobs are processed', async () => {
  const { db, connection, allow } = await startRefusing()
  const sender = startJobs(connection).jobs
  sender.on('greet', undefined)
  await sender.start()
  await db.transaction().execute((tx) => sender.send(tx, 'greet', { name: 'Ingrid' }))
  await sender.stop()

  await allow(false)
  const { jobs, errors } = startJobs(connection)
  const done: unknown[] = []
  jobs.on('greet', async (data) => void done.push(data))
  let begun = 0
  jobs.onStart(async () => {
    begun += 1
    if (begun === 1) throw new Error('once')
  })
  await expect(jobs.start()).rejects.toThrow('not currently accepting connections')
  await expect.poll(() => errors.length).toBeGreaterThan(1)
  expect(new Set(errors)).toEqual(new Set(['could not start the background jobs']))
  expect([done, begun]).toEqual([[], 0])

  await allow(true)
  await expect.poll(() => done).toEqual([{ name: 'Ingrid' }])
  // Only the failed start action is retried.
  await expect.poll(() => begun).toBe(2)
})

test('a stopped service does not start again', async () => {
  const { connection, allow } = await startRefusing()
  await allow(false)
  const [stopped, control] = [startJobs(connection), startJobs(connection)]
  await expect(stopped.jobs.start()).rejects.toThrow()
  await stopped.jobs.stop()
  const tries = stopped.errors.length
  await expect(control.jobs.start()).rejects.toThrow()
  await expect.poll(() => control.errors.length).toBeGreaterThan(3)
  expect(stopped.errors).toHaveLength(tries)
})

test('ten idle queues together query the database at most twice a second; new jobs are still processed one right after the other', async () => {
  const { db, connection } = await startRefusing()
  const { jobs } = startJobs(connection)
  const done: unknown[] = []
  for (let queue = 0; queue < 10; queue += 1) jobs.on(`queue-${queue}`, async (data) => void done.push(data))
  const asking = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => asking.mockRestore())
  const asked = () =>
    asking.mock.calls.flatMap(([text]) =>
      typeof text === 'string' && text.includes('pgboss.job') ? [text] : [],
    )
  const shared = () => asked().filter((text) => text.includes('unnest($1::text[]) as q (name)'))
  await jobs.start()
  // By then, each worker has polled once on its own.
  await expect.poll(() => shared().length).toBeGreaterThan(0)
  const [before, sharedBefore, from] = [asked().length, shared().length, performance.now()]
  await expect.poll(() => shared().length - sharedBefore).toBeGreaterThan(5)
  const polls = shared().length - sharedBefore
  expect(asked().length - before - polls).toBeLessThanOrEqual(2)
  // A slow machine only polls less often. The first of these polls may have been due immediately.
  expect(polls - 1).toBeLessThanOrEqual((performance.now() - from) / 500)

  // If each job waited for the next poll, there would be as many polls as jobs.
  const pollsBefore = shared().length
  await db.transaction().execute(async (tx) => {
    for (let number = 0; number < 20; number += 1) await jobs.send(tx, 'queue-7', { number })
  })
  await expect.poll(() => done).toHaveLength(20)
  expect(shared().length - pollsBefore).toBeLessThan(20)
})

test('two processes share the jobs, and each job is done once', async () => {
  const { db, connection } = await startRefusing()
  const done: string[] = []
  const unfinished = sql`select from pgboss.job where name = 'count' and state <> 'completed'`
  const both = ['one', 'other'].map((name) => {
    const { jobs } = startJobs(connection)
    jobs.on('count', async ({ n }: { n: number }) => {
      done.push(`${name} ${n}`)
    })
    return jobs
  })
  await Promise.all(both.map((jobs) => jobs.start()))
  const wanted = Array.from({ length: 60 }, (_, n) => n)
  for (const n of wanted) await db.transaction().execute((tx) => both[n % 2]!.send(tx, 'count', { n }))
  await expect.poll(() => done.length).toBe(60)
  // A job that is completed is not processed again.
  await expect.poll(async () => (await unfinished.execute(db)).rows).toEqual([])
  expect(done.map((one) => Number(one.split(' ')[1])).toSorted((a, b) => a - b)).toEqual(wanted)
})

test('a job that fails is logged with its queue, each time', async () => {
  const { db, connection } = await startRefusing()
  const { jobs, errors } = startJobs(connection)
  jobs.on('greet', async () => {
    throw new Error('no one is at home')
  })
  await jobs.start()
  await db.transaction().execute((tx) => jobs.send(tx, 'greet', {}))
  await expect.poll(() => errors).toEqual(['the job greet failed'])
})

test('a job that hangs keeps only its own queue waiting', async () => {
  const { db, connection } = await startRefusing()
  const { jobs } = startJobs(connection)
  let end = () => {}
  const held = new Promise<void>((done) => (end = done))
  jobs.on('hang', () => held)
  const done: unknown[] = []
  jobs.on('greet', async (data) => void done.push(data))
  await jobs.start()
  const send = (queue: string, data: object) => db.transaction().execute((tx) => jobs.send(tx, queue, data))
  await send('hang', {})
  await send('hang', {})
  const states = async () =>
    (
      await sql<{ state: string }>`select state::text from pgboss.job where name = 'hang' order by 1`.execute(
        db,
      )
    ).rows.map(({ state }) => state)
  await expect.poll(states).toEqual(['active', 'created'])
  await send('greet', { name: 'Ingrid' })
  await expect.poll(() => done).toEqual([{ name: 'Ingrid' }])
  expect(await states()).toEqual(['active', 'created'])
  end()
})
