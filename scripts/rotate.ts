// npm run rotate -- FILE: encrypts the stored secrets, now encrypted with SECRETS_KEY, with the key in the file.
import { rotateSecrets } from '#app/commands/rotate.ts'
import { BackupError, readKey } from '#server/backup/archive.ts'
import { openDatabase } from '#server/db/db.ts'
import { SettingsError } from '#server/settings/settings.ts'
import { withDatabase } from './database.ts'

const [file, ...more] = process.argv.slice(2)
if (file === undefined || more.length > 0) {
  console.error('Usage: npm run rotate -- FILE')
  process.exitCode = 1
} else
  await withDatabase(
    async (connection, { secretsKey }) => {
      if (secretsKey === undefined)
        throw new SettingsError('SECRETS_KEY is not set, so no secrets are stored.')
      const key = await readKey(file)
      const { db, close } = openDatabase(connection)
      try {
        const count = await rotateSecrets(db, secretsKey, key)
        console.log(`${count} secrets have the new key. Start the panel with it as SECRETS_KEY.`)
      } finally {
        await close()
      }
    },
    { foreseen: [BackupError], whileRunning: true },
  )
