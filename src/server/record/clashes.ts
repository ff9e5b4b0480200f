import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { Clash } from '#shared/record.contract.ts'
import type { Db } from '#server/db/db.ts'
import { nameFiles } from '#server/record/file-fields.ts'
import { findReferences } from '#server/record/references.ts'
import type { RecordKind } from '#server/record/rows.ts'
import { toWire } from '#server/record/values.ts'

/** Returns conflicts as they are sent: with names in place of IDs, and with the other user's name. */
export async function nameClashes(
  db: Db,
  kind: RecordKind,
  of: { id: number; viewer: Viewer },
  clashes: readonly Clash[],
): Promise<Clash[]> {
  const valuesOf = (side: 'yours' | 'theirs') =>
    Object.fromEntries(clashes.map((clash) => [clash.field, clash[side]]))
  const sides = (await nameFiles(db, kind, [valuesOf('yours'), valuesOf('theirs')])).map((values) =>
    toWire(kind, values),
  )
  const nameIds = await findReferences(db, kind, of.viewer, sides)
  const [yours, theirs] = sides.map(nameIds)
  const sent = Object.keys(yours!).map((field) => ({ field, yours: yours![field], theirs: theirs![field] }))
  const authors = await findLastAuthors(db, kind, of, sent)
  return sent.map((clash) => {
    const who = authors.get(clash.field)
    return who === undefined ? clash : { ...clash, who }
  })
}

/** Returns the name of the user who last changed each of the fields, by the record's history. */
async function findLastAuthors(
  db: Db,
  { type, history }: RecordKind,
  { id, viewer }: { id: number; viewer: Viewer },
  clashes: readonly Clash[],
): Promise<Map<string, string>> {
  if (clashes.length === 0 || history?.mayRead?.(viewer) === false || history?.scope) return new Map()
  const fields = clashes.map(({ field }) => field)
  const { rows } = await sql<{ field: string; who: string | null }>`
    select distinct on (f.field) f.field, s.name as who
    from audit_log a left join staff s on s.id = a.staff_id
    join unnest(${fields}::text[]) as f(field) on a.changes ? f.field
    where a.target_type = ${type} and a.target_id = ${id} order by f.field, a.id desc`.execute(db)
  // Changes by the system have no author.
  return new Map(rows.flatMap(({ field, who }) => (who === null ? [] : [[field, who]])))
}
