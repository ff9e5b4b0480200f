// npm run admin [-- USER_NAME]: prints a link with which a Super Admin sets a new password; without a name, lists them.
import { findSuperAdmins, rescueSuperAdmin } from '#app/commands/admin.ts'
import { openDatabase } from '#server/db/db.ts'
import { withDatabase } from './database.ts'

await withDatabase(
  async (connection, settings) => {
    const [userName] = process.argv.slice(2)
    const { db, close } = openDatabase(connection)
    try {
      if (userName === undefined) console.log((await findSuperAdmins(db)).join('\n'))
      else console.log(await rescueSuperAdmin(db, settings, userName, new Date()))
    } finally {
      await close()
    }
  },
  { whileRunning: true },
)
