import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'

/* Incidents of docs/running.md that no other test tries. */

const day = 24 * 3_600_000

test('a clock that is wrong ends sessions while it is wrong, and destroys nothing', async () => {
  const { as, clock, db } = await startTestApp()
  const status = async () => (await as('admin').get('/common/quick-task')).status
  const count = async () =>
    (await db.selectFrom('sessions').select('id').where('ended_at', 'is', null).execute()).length
  const before = await count()
  expect(await status()).toBe(200)
  clock.advance(400 * day)
  expect(await status()).toBe(401)
  clock.advance(-400 * day)
  expect(await status()).toBe(200)
  expect(await count()).toBe(before)
})

test('a table whose numbers are used up refuses new records with a message, and everything else works', async () => {
  const { as, db } = await startTestApp()
  const create = () => as('admin').post('/common/quick-task', { title: 'Count the racks' })
  expect((await create()).status).toBe(200)
  await sql`select setval(pg_get_serial_sequence('quick_tasks', 'id'), 2147483647)`.execute(db)
  expect(await create()).toMatchObject({
    status: 507,
    message: expect.stringContaining('No more records of this kind'),
  })
  expect((await as('admin').get('/common/quick-task')).status).toBe(200)
})
