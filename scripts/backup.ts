// npm run backup -- FOLDER [--key FILE]: writes the database and the files into one archive, while the panel is working.
import { parseArgs } from 'node:util'
import { version } from '#app/server/version.ts'
import { BackupError, readKey } from '#server/backup/archive.ts'
import { backUp } from '#server/backup/backup.ts'
import { withDatabase } from './database.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } })
const [target, ...more] = positionals
if (target === undefined || more.length > 0) {
  console.error('Usage: npm run backup -- FOLDER [--key FILE]')
  process.exitCode = 1
} else
  await withDatabase(
    async (connection, { dataDir }) => {
      const key = values.key === undefined ? undefined : await readKey(values.key)
      const { path, tables, rows, files } = await backUp({
        connection,
        dataDir,
        target,
        key,
        version,
        now: new Date(),
      })
      console.log(`${path}: ${rows} rows of ${tables} tables, ${files} files`)
    },
    { foreseen: [BackupError], whileRunning: true },
  )
