import type { LockedImport } from '#features/crm/leads/import/server/import.queries.ts'
import { judgeRow, type Judgement } from '#features/crm/leads/import/server/judge-row.ts'
import { findMatches } from '#features/crm/leads/import/server/matches.queries.ts'
import { findAlike } from '#features/crm/leads/import/server/possible-duplicates.ts'
import { readRow } from '#features/crm/leads/import/server/read-row.ts'
import type { Lists } from '#features/crm/leads/import/server/read-value.ts'
import type { FileRow } from '#features/crm/leads/import/server/table-file.ts'
import type { Db } from '#server/db/db.ts'

/**
 * Decides what happens to rows, by the leads as they are now.
 * @param earlier lines by the keys of the rows that were judged before
 * @param lock for a run: locks the leads that the rows change
 */
export async function judge(
  db: Db,
  held: LockedImport,
  rows: readonly FileRow[],
  lists: Lists,
  { earlier, lock }: { earlier: Map<string, number>; lock: boolean },
): Promise<Judgement[]> {
  const read = rows.map(({ line, cells }) => ({ line, read: readRow(cells, held, lists) }))
  const matches = await findMatches(db, held, read, lock)
  const alike = await findAlike(db, held, read)
  return read.map(({ line, read: row }) =>
    judgeRow(line, row, { match: matches.get(line), alike: alike.get(line) }, held, lists, earlier),
  )
}
