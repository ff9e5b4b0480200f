import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { createTestDatabase } from '#server/db/testing.ts'

test('with BACKUP_DIR, a process that starts makes a backup, and the newest are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'panel-backups-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const nameOf = (day: string) => `admin-panel-202603${day}T100000Z.tar.gz`
  for (const day of ['10', '11', '12']) await writeFile(join(folder, nameOf(day)), '')
  const { app } = await startTestApp({ env: { BACKUP_DIR: folder, BACKUP_KEEP: '2' } })
  await app.jobs.start()
  const names = async () => (await readdir(folder)).toSorted()
  await expect.poll(names).toEqual([nameOf('12'), nameOf('16')])
})

test('of processes that start together, one makes the backup', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'panel-backups-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const database = await createTestDatabase()
  const start = (now: string) => startTestApp({ database, now, env: { BACKUP_DIR: folder } })
  const [one, other] = [await start('2026-03-16T10:00:00Z'), await start('2026-03-16T10:00:01Z')]
  const backups = () =>
    sql`select from pg_stat_activity where application_name = 'admin-panel backup'
      and datname = current_database() and wait_event_type = 'Lock'`.execute(one.db)
  const holding = new pg.Client(database.connection)
  await holding.connect()
  // Before the apps are closed, which waits for their backups.
  onTestFinished(() => holding.end())
  await holding.query('begin; lock table quick_tasks in access exclusive mode')
  await one.app.jobs.start()
  await expect.poll(async () => (await backups()).rows).toHaveLength(1)
  let isPast = false
  other.app.jobs.onStart(async () => void (isPast = true))
  await other.app.jobs.start()
  await expect.poll(() => isPast).toBe(true)
  await holding.query('rollback')
  await expect.poll(() => readdir(folder)).toEqual(['admin-panel-20260316T100000Z.tar.gz'])
})
