import { isExpression, sql, type RawBuilder } from 'kysely'
import { liveNameOf, type RecordType } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import type { RecordKind, Row, Writing } from '#server/record/rows.ts'

type Touched = Pick<RecordKind, 'table' | 'id'> & { type?: RecordType }

/**
 * Writes what the system maintains, without an operation: increments the versions and notifies open pages.
 * Returns the IDs of the records.
 * @param which an ID, or SQL over `r`
 * @param values values by column, or SQL over `r`
 * @param options.keepsVersion for values that no form shows, such as a date of reading, so that they don't
 * conflict with a form that is open
 */
export async function touchRecords(
  { db, changed }: { db: Db; changed?: Writing['changed'] },
  { table, id = 'id', type }: Touched,
  which: number | RawBuilder<unknown>,
  values: Row,
  { keepsVersion = false }: { keepsVersion?: boolean } = {},
): Promise<number[]> {
  const own = sql.ref(`r.${id}`)
  const row = JSON.stringify(
    Object.fromEntries(Object.entries(values).filter(([, value]) => !isExpression(value))),
  )
  const next = sql`jsonb_populate_record(null::${sql.table(table)}, ${row}::jsonb)`
  const assigned = Object.entries(values).map(([column, value]) => {
    const name = sql.ref(column)
    return sql`${name} = ${isExpression(value) ? value : sql`(${next}).${name}`}`
  })
  const { rows } = await sql<{ id: number }>`update ${sql.table(table)} r
    set ${sql.join(assigned)}, version = r.version + ${sql.lit(keepsVersion ? 0 : 1)}, updated_at = now()
    where ${typeof which === 'number' ? sql`${own} = ${which}` : which} returning ${own} as id`.execute(db)
  const ids = rows.map((row) => row.id)
  if (ids.length && type) changed?.(liveNameOf(type), ids)
  return ids
}
