import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { queryWhileAwaited } from '#server/http/awaited.ts'

/** A reply whose request is open until its `close`. */
const waiting = (): { raw: EventEmitter } => ({ raw: new EventEmitter() })

test('a statement returns its rows, and stops listening to its request', async () => {
  const { pool } = (await startTestApp()).app
  const reply = waiting()
  expect(await queryWhileAwaited(pool, reply, 'select $1::int + 1 as sum', [1])).toEqual([{ sum: 2 }])
  expect(reply.raw.listenerCount('close')).toBe(0)
})

test('a statement ends once its request is closed, and its connection can be used again', async () => {
  const { pool } = (await startTestApp()).app
  const reply = waiting()
  const answer = queryWhileAwaited(pool, reply, 'select pg_sleep(600)', []).catch((error: unknown) => error)
  const isRunning = async () =>
    (await pool.query("select from pg_stat_activity where query like '%pg_sleep(600)' and state = 'active'"))
      .rowCount === 1
  await expect.poll(isRunning).toBe(true)
  reply.raw.emit('close')
  expect(await answer).toMatchObject({ code: '57014' })
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
