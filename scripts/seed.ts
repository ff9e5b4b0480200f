// npm run seed: the reference lists and the demo data; adds missing rows only, existing ones do not change.
import { seedDemoData } from '#app/server/demo.ts'
import { openDatabase } from '#server/db/db.ts'
import { migrate } from '#server/db/migrate.ts'
import { seedReference } from '#server/db/seed/reference.ts'
import { hashPassword } from '#server/passwords.ts'
import { SettingsError } from '#server/settings.ts'
import { plainDate } from '#shared/dates.ts'
import { withDatabase } from './database.ts'

await withDatabase(async (connection, settings) => {
  if (settings.demoPassword === undefined)
    throw new SettingsError(`HOST=${settings.host} can be reached by others; demo data needs DEMO_PASSWORD.`)
  await migrate(connection)
  const { db, close } = openDatabase(connection)
  try {
    await seedReference(db, settings)
    await seedDemoData(db, await hashPassword(settings.demoPassword), plainDate(new Date()))
  } finally {
    await close()
  }
  console.log('The reference lists and the demo data are there.')
})
