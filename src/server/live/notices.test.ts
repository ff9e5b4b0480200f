import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { Notices } from '#server/live/notices.ts'

test('a notification is sent after the one before it, however long that takes', async () => {
  const sent: string[] = []
  const running: (() => void)[] = []
  const pool = {
    query: (_text: string, [, part]: [string, string]) => {
      sent.push(part)
      return new Promise<void>((done) => running.push(done))
    },
  } as unknown as pg.Pool
  const notices = new Notices(
    { pool, connection: {}, log: { warn: () => {}, error: () => {} } },
    { hear: () => {}, sessionsEnded: () => {}, connected: () => Promise.resolve() },
  )
  onTestFinished(() => notices.close())

  notices.publish({ channel: 'private-records.roles', event: 'changed', payload: 'first' })
  await expect.poll(() => sent).toHaveLength(1)
  notices.publish({ channel: 'private-records.roles', event: 'changed', payload: 'second' })
  notices.endSessions([7])
  await new Promise((done) => setTimeout(done, 100))
  expect(sent).toHaveLength(1)
  running[0]!()
  await expect.poll(() => sent).toHaveLength(2)
  expect(JSON.parse(sent[1]!)).toMatchObject({ published: [{ payload: 'second' }], endedSessions: [7] })
})
