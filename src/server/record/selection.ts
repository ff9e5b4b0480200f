import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import { conflict } from '#server/http/errors.ts'

interface Selection<Filters> {
  ids?: readonly number[] | undefined
  filters?: Filters | undefined
  total?: number | undefined
}

/**
 * Returns the IDs of the selected records, in order. IDs that were sent are not checked: some may be unknown, out of
 * scope, or in the trash.
 * @param many name of the records, such as `leads`
 * @param find returns the IDs of the records that match filters, in order
 * @throws HttpError 409 with the current count if the number of records that match the filters differs from the
 * number that the caller saw.
 */
export async function findSelected<Filters>(
  db: Db,
  { ids, filters, total }: Selection<Filters>,
  many: string,
  find: (filters: Filters) => Promise<number[]>,
): Promise<number[]> {
  if (ids) return [...new Set(ids)].toSorted((a, b) => a - b)
  // Counting a million records takes a bit longer than loading a page.
  await sql`set local statement_timeout = '30s'`.execute(db)
  const found = await find(filters!)
  if (found.length !== total)
    throw conflict(
      `${found.length.toLocaleString('en-US')} ${many} match these filters now, not ${total!.toLocaleString('en-US')}. Review the list and try again.`,
      { total: found.length },
    )
  return found
}
