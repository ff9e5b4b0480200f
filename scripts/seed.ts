// npm run seed: adds missing rows of the reference lists and the demo data; existing rows do not change. If
// DEMO_PASSWORD is set, demo accounts that still have the published password get the new one.
import { seedDemoData } from '#app/server/features.ts'
import { openDatabase } from '#server/db/db.ts'
import { migrate } from '#server/db/migrate.ts'
import { replaceCastPassword } from '#server/db/seed/cast.ts'
import { seedReference } from '#server/db/seed/reference.ts'
import { hashPassword } from '#server/secrets/passwords.ts'
import { publishedPassword, SettingsError } from '#server/settings/settings.ts'
import { plainDate } from '#shared/dates.ts'
import { withDatabase } from './database.ts'

await withDatabase(async (connection, settings) => {
  if (settings.demoPassword === undefined)
    throw new SettingsError('Others can reach the panel; demo data needs DEMO_PASSWORD.')
  await migrate(connection)
  const { db, close } = openDatabase(connection)
  try {
    const hash = await hashPassword(settings.demoPassword)
    await seedReference(db, settings)
    if (settings.demoPassword !== publishedPassword) {
      const changed = await replaceCastPassword(db, publishedPassword, hash, new Date())
      if (changed > 0) console.log(`${changed} demo accounts have the new password.`)
    }
    await seedDemoData(db, hash, plainDate(new Date()))
  } finally {
    await close()
  }
  console.log('The reference lists and the demo data are there.')
})
