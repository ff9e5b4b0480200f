import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startPanel } from '#app/testing/chat-run.testing.ts'
import { databaseUrlOf, openRealSession } from '#app/testing/process.testing.ts'
import { startTestApp } from '#app/testing/start.testing.ts'

test('a process whose work does not end is ended after STOP_SECONDS; one without such work ends by itself', async () => {
  const { app, db, as } = await startTestApp()
  const folder = mkdtempSync(join(tmpdir(), 'admin-panel-stop-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const token = await openRealSession(db, as('admin').id)
  const databaseUrl = databaseUrlOf(app.pool.options)
  const start = async () => {
    const limits = { STOP_SECONDS: '5', LOCK_SECONDS: '60', STATEMENT_SECONDS: '120' }
    const panel = await startPanel(databaseUrl, join(folder, 'data'), limits)
    onTestFinished(() => panel.kill())
    return panel
  }
  const idle = await start()
  expect(await idle.stop()).toBe(0)

  const busy = await start()
  await db.transaction().execute(async (trx) => {
    await sql`lock table audit_log in exclusive mode`.execute(trx)
    const change = fetch(`${busy.origin}/api/common/quick-task`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Waits for the lock' }),
    }).catch(() => undefined)
    await expect
      .poll(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        return rows.length
      })
      .toBe(1)
    expect(await busy.stop()).toBe(1)
    await change
  })
}, 120_000)
