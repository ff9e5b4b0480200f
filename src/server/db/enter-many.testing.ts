import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/db/db.ts'

/** Enters many rows, for tests, without the time limit of the panel's statements, which a busy machine exceeds. */
export async function enterMany(db: Db, ...statements: readonly RawBuilder<unknown>[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    for (const statement of statements) await statement.execute(tx)
  })
}
