import type pg from 'pg'
import { version } from '#app/server/version.ts'
import type { App } from '#server/app.ts'
import { readKey } from '#server/backup/archive.ts'
import { backUp, dropOldBackups, findNewestBackup } from '#server/backup/backup.ts'

const everyNight = '30 1 * * *'
/** A process that starts makes a backup, too, unless there is one of the last hours. */
const fresh = 20 * 3_600_000

/** Makes a backup every night, and keeps the newest ones, if BACKUP_DIR is set. */
export function scheduleBackups({ jobs, clock, settings, http }: App, connection: pg.ClientConfig): void {
  const { backupDir: target, backupKeep, backupKeyFile, dataDir } = settings
  if (target === undefined) return
  jobs.every('backup', everyNight, async () => {
    const now = clock.now()
    const newest = await findNewestBackup(target)
    if (newest && now.getTime() - newest.getTime() < fresh) return
    const key = backupKeyFile === undefined ? undefined : await readKey(backupKeyFile)
    const { path, rows, files } = await backUp({ connection, dataDir, target, key, version, now })
    const deleted = await dropOldBackups(target, backupKeep)
    http.log.info({ path, rows, files, deleted }, 'made a backup')
  })
}
