import pg from 'pg'
import { version } from '#app/server/version.ts'
import type { App } from '#server/app.ts'
import { readKey } from '#server/backup/archive.ts'
import { backUp, dropOldBackups, findNewestBackup } from '#server/backup/backup.ts'

const everyNight = '30 1 * * *'
/** A process that starts makes a backup, too, unless there is one of the last hours. */
const fresh = 20 * 3_600_000
/** Key of the advisory lock that the process with the backup holds. */
const backupLock = 7_261_003

/** Makes a backup every night, and keeps the newest ones, if BACKUP_DIR is set. */
export function scheduleBackups({ jobs, clock, settings, http }: App, connection: pg.ClientConfig): void {
  const { backupDir: target, backupKeep, backupKeyFile, dataDir } = settings
  if (target === undefined) return
  const makeBackup = async () => {
    const now = clock.now()
    const newest = await findNewestBackup(target)
    if (newest && now.getTime() - newest.getTime() < fresh) return
    const key = backupKeyFile === undefined ? undefined : await readKey(backupKeyFile)
    const { path, rows, files } = await backUp({ connection, dataDir, target, key, version, now })
    const deleted = await dropOldBackups(target, backupKeep)
    http.log.info({ path, rows, files, deleted }, 'made a backup')
  }
  jobs.every('backup', everyNight, () => unlessElsewhere(connection, makeBackup))
}

/** Does the work unless another process is doing it: two that start together would write the same file. */
async function unlessElsewhere(connection: pg.ClientConfig, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client(connection)
  // The work has its own connection; a lost lock at most leads to a second backup.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
      backupLock,
    ])
    if (rows[0]!.held) await work()
  } finally {
    await client.end()
  }
}
