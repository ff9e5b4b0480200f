import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'

/**
 * Compacts counts that triggers keep as differences: one row per group instead of one per change. It is a single
 * statement, so that concurrent readers see either the old or the new state.
 */
export async function compactKeptCounts(
  db: Db,
  name: string,
  columns: readonly string[],
  sums: readonly string[] = ['change'],
): Promise<void> {
  const table = sql.table(name)
  const group = sql.join(columns.map((column) => sql.ref(column)))
  const isSame = sql.join(
    columns.map((column) => sql`${sql.ref(`c.${column}`)} = ${sql.ref(`m.${column}`)}`),
    sql` and `,
  )
  const added = sums.map((column) => sql`sum(${sql.ref(column)})`)
  await sql`with many as (select ${group} from ${table} group by ${group} having count(*) > 1),
      gone as (delete from ${table} c using many m where ${isSame} returning c.*)
    insert into ${table} (${group}, ${sql.join(sums.map((column) => sql.ref(column)))})
      select ${group}, ${sql.join(added)} from gone group by ${group}
      having ${sql.join(
        added.map((sum) => sql`${sum} <> 0`),
        sql` or `,
      )}`.execute(db)
}
