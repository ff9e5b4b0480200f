// npm run restore -- ARCHIVE [--key FILE]: restores a backup into an empty database and an empty DATA_DIR.
import { parseArgs } from 'node:util'
import { stopUnfinishedImports } from '#features/crm/leads/import/server/run-import.ts'
import { BackupError, readKey } from '#server/backup/archive.ts'
import { restore } from '#server/backup/restore.ts'
import { openDatabase } from '#server/db/db.ts'
import { stopUnfinishedOperations } from '#server/record/batches.ts'
import { withDatabase } from './database.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } })
const [archive, ...more] = positionals
if (archive === undefined || more.length > 0) {
  console.error('Usage: npm run restore -- ARCHIVE [--key FILE]')
  process.exitCode = 1
} else
  await withDatabase(
    async (connection, { dataDir }) => {
      const key = values.key === undefined ? undefined : await readKey(values.key)
      const manifest = await restore({ connection, dataDir, archive, key })
      const { db, close } = openDatabase(connection)
      try {
        // Their jobs are not in the backup; users can continue them.
        await stopUnfinishedImports(db)
        await stopUnfinishedOperations(db)
      } finally {
        await close()
      }
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      console.log(`Restored ${rows} rows from ${manifest.created_at} (version ${manifest.version}).`)
      console.log('Emails that were waiting are held in the outbox until an admin sends or discards them.')
    },
    { foreseen: [BackupError] },
  )
