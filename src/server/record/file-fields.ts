import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import type { RecordKind, Row } from '#server/record/rows.ts'

/*
 * A record's files as fields: each field contains the IDs of the files that have a certain role on the
 * record, in order.
 */

/** A field for files: their role on the record, and the maximum number of files. */
export interface FileField {
  role: string
  most: number
}

type Patches = readonly { id: number; patch: Row }[]

/** Returns the SQL that selects the file fields of `r`. */
export const selectedFiles = (kind: RecordKind, id: string): string[] =>
  Object.entries(kind.files ?? {}).map(
    ([field, { role }]) =>
      `array(select l.file_id from file_links l where l.record_type = '${kind.type}' and l.record_id = r."${id}"
        and l.role = '${role}' and l.deleted_at is null order by l.position, l.id) as "${field}"`,
  )

/**
 * Sets the files of records to those in the patches. A file that was on the record before gets its previous
 * position and label back.
 */
export async function writeFiles(
  db: Db,
  kind: RecordKind,
  patches: Patches,
  by: number | undefined,
): Promise<void> {
  for (const [field, { role }] of Object.entries(kind.files ?? {})) {
    const lists = patches.flatMap(({ id, patch }) =>
      Array.isArray(patch[field]) ? [{ id, files: [...new Set(patch[field] as number[])] }] : [],
    )
    if (!lists.length) continue
    const records = lists.map(({ id }) => id)
    const wanted = lists.flatMap(({ id, files }) => files.map((file, at) => ({ id, file, at })))
    const ofRole = sql`l.record_type = ${kind.type} and l.role = ${role}`
    const rows = sql`jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w(id int, file int, at int)`
    await sql`update file_links l set deleted_at = now(), deleted_by = ${by ?? null}
      where ${ofRole} and l.record_id = any(${records}::int[]) and l.deleted_at is null
        and not exists (select from ${rows} where w.id = l.record_id and w.file = l.file_id)`.execute(db)
    const isMissing = sql`not exists (select from file_links o where o.record_type = ${kind.type} and o.role = ${role}
      and o.record_id = w.id and o.file_id = w.file and o.deleted_at is null)`
    await sql`update file_links set deleted_at = null, deleted_by = null where id in (
      select max(l.id) from ${rows} join file_links l on ${ofRole} and l.record_id = w.id and l.file_id = w.file
      where ${isMissing} group by w.id, w.file)`.execute(db)
    await sql`insert into file_links (file_id, record_type, record_id, role, created_by, position)
      select w.file, ${kind.type}, w.id, ${role}, ${by ?? null}::int, w.at + 1 + coalesce((select max(l.position) from file_links l
        where ${ofRole} and l.record_id = w.id and l.deleted_at is null), -1)
      from ${rows} where ${isMissing} order by w.id, w.at`.execute(db)
  }
}

const isList = (value: unknown): value is number[] => Array.isArray(value)

/**
 * Returns the file fields to which both the viewer and another user have only added files since `base`, with
 * the files of both; omits fields that would then have too many files.
 */
export function mergeAddedFiles(kind: RecordKind, current: Row, sent: Row, base: Row = {}): Row {
  const merged = Object.entries(kind.files ?? {}).flatMap(([field, { most }]) => {
    const [mine, theirs, was] = [sent[field], current[field], base[field]]
    if (!isList(mine) || !isList(theirs) || !isList(was)) return []
    const both = [...new Set([...theirs, ...mine])]
    const onlyAdded = was.every((id) => mine.includes(id) && theirs.includes(id))
    return onlyAdded && both.length <= most ? [[field, both]] : []
  })
  return Object.fromEntries(merged) as Row
}

/** Returns rows in human-readable form, with file names in place of file IDs. */
export async function nameFiles<Named extends Row>(
  db: Db,
  kind: RecordKind,
  rows: readonly Named[],
): Promise<Named[]> {
  const fields = Object.keys(kind.files ?? {})
  const ids = rows.flatMap((row) => fields.flatMap((field) => (isList(row[field]) ? row[field] : [])))
  if (!ids.length) return [...rows]
  const found = await db.selectFrom('files').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      fields.flatMap((field) => {
        const list = row[field]
        return isList(list) ? [[field, list.map((id) => names.get(id) ?? `#${id}`)]] : []
      }),
    ),
  }))
}
