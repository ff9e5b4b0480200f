// npm run migrate: migrates the database to the schema that the code expects.
import { migrate } from '#server/db/migrate.ts'
import { withDatabase } from './database.ts'

await withDatabase(async (connection) => {
  const applied = await migrate(connection)
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`)
})
