import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'

/**
 * Compacts counts that triggers keep as differences: one row per group instead of one per change. It is a single
 * statement, so that concurrent readers see either the old or the new state.
 */
export async function compactKeptCounts(db: Db, name: string, columns: readonly string[]): Promise<void> {
  const table = sql.table(name)
  const group = sql.join(columns.map((column) => sql.ref(column)))
  const isSame = sql.join(
    columns.map((column) => sql`${sql.ref(`c.${column}`)} = ${sql.ref(`m.${column}`)}`),
    sql` and `,
  )
  await sql`with many as (select ${group} from ${table} group by ${group} having count(*) > 1),
      gone as (delete from ${table} c using many m where ${isSame} returning c.*)
    insert into ${table} (${group}, change) select ${group}, sum(change) from gone group by ${group}
      having sum(change) <> 0`.execute(db)
}
