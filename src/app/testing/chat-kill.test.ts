import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runKills } from '#app/testing/chat-run.testing.ts'
import { databaseUrlOf, openRealSession } from '#app/testing/process.testing.ts'
import { startTestApp } from '#app/testing/start.testing.ts'

test('a panel killed under chat load loses no acknowledged message, and clients continue on the other one', async () => {
  const { app, db, as } = await startTestApp()
  const folder = mkdtempSync(join(tmpdir(), 'admin-panel-kill-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // The processes use the real clock, not the tests' fixed time.
  const tokens = await Promise.all(['qa', 'crm', 'designer'].map((who) => openRealSession(db, as(who).id)))
  const run = await runKills({
    databaseUrl: databaseUrlOf(app.pool.options),
    dataDirOf: (index) => join(folder, String(index)),
    tokens,
    clients: 6,
    kills: 1,
    phaseMs: 700,
    perSecond: 30,
    findStored: async () =>
      (await db.selectFrom('chat_messages').select('id').orderBy('id').execute()).map(({ id }) => id),
  })
  expect(run).toMatchObject({ lost: 0, doubled: 0, differing: 0 })
  expect(run.acknowledged).toBeGreaterThan(20)
  expect(run.stored).toBe(run.acknowledged)
  // Control: a client that only listens loses messages sent while it was disconnected.
  expect(run.lostByPlain).toBeGreaterThan(0)
}, 300_000)
