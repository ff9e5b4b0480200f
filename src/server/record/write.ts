import { CompiledQuery, sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { Db } from '#server/db/db.ts'
import { asHttpError } from '#server/http/errors.ts'
import { writeFiles } from '#server/record/file-fields.ts'
import { idOf, type RecordKind, type Row } from '#server/record/rows.ts'

/*
 * Writes the rows of records. Only the record kit imports this file, because a write belongs to an operation
 * (`record.ts`, `batches.ts`, `undo.ts`) or is the system's (`touch.ts`).
 */

const quoted = (name: string) => `"${name}"`

/**
 * Applies patches to records and increments their versions.
 * @param by the admin user who adds or removes files
 */
export async function writeRows(
  db: Db,
  kind: RecordKind,
  patches: readonly { id: number; patch: Row }[],
  by?: number,
): Promise<void> {
  if (!patches.length) return
  const columns = [...kind.columns, 'deleted_at', 'deleted_by'].filter((column) =>
    patches.some(({ patch }) => patch[column] !== undefined),
  )
  const assigned = [...columns.map(quoted), 'version', 'updated_at'].join(', ')
  const values = [...columns.map((column) => `n.${quoted(column)}`), 'r.version + 1', 'now()'].join(', ')
  // The stored record, overlaid with the fields in the patch.
  const text = `update ${quoted(kind.table)} r set (${assigned}) =
      (select ${values} from jsonb_populate_record(r, p.patch) n)
    from jsonb_to_recordset($1::jsonb) as p(id int, patch jsonb) where r.${quoted(idOf(kind))} = p.id`
  await db.executeQuery(CompiledQuery.raw(text, [JSON.stringify(patches)]))
  await writeLinks(db, kind, patches)
  await writeFiles(db, kind, patches, by)
}

/** Inserts rows and returns their IDs in the same order; columns that a row leaves out get their defaults. */
export async function insertRows(db: Db, kind: RecordKind, rows: readonly Row[]): Promise<number[]> {
  const byColumns = new Map<string, number[]>()
  for (const [index, row] of rows.entries()) {
    const columns = Object.keys(row).map(quoted).join(', ')
    byColumns.set(columns, [...(byColumns.get(columns) ?? []), index])
  }
  const ids: number[] = []
  for (const [columns, indexes] of byColumns) {
    const text = `insert into ${quoted(kind.table)} (${columns})
      select ${columns} from jsonb_populate_recordset(null::${quoted(kind.table)}, $1::jsonb) returning ${quoted(idOf(kind))} as id`
    const given = JSON.stringify(indexes.map((index) => rows[index]))
    const inserted = await db.executeQuery<{ id: number }>(CompiledQuery.raw(text, [given]))
    for (const [place, index] of indexes.entries()) ids[index] = inserted.rows[place]!.id
  }
  return ids
}

export async function writeLinks(
  db: Db,
  kind: RecordKind,
  patches: readonly { id: number; patch: Row }[],
): Promise<void> {
  for (const [field, { table, own, other, existingIn, moves }] of Object.entries(kind.links ?? {})) {
    const linked = patches
      .filter(({ patch }) => Array.isArray(patch[field]))
      .map(({ id, patch }) => ({ id, ids: [...new Set(patch[field] as number[])] }))
    if (!linked.length) continue
    if (moves) {
      await sql`update ${sql.table(table)} k set ${sql.ref(own)} = l.id
        from jsonb_to_recordset(${JSON.stringify(linked)}::jsonb) as l(id int, ids jsonb)
        where l.ids @> to_jsonb(k.${sql.ref(other)})`.execute(db)
      continue
    }
    await sql`delete from ${sql.table(table)} where ${sql.ref(own)} = any(${linked.map(({ id }) => id)}::int[])`.execute(
      db,
    )
    await sql`insert into ${sql.table(table)} (${sql.ref(own)}, ${sql.ref(other)})
      select l.id, o.value::int from jsonb_to_recordset(${JSON.stringify(linked)}::jsonb) as l(id int, ids jsonb), jsonb_array_elements_text(l.ids) o
      where ${existingIn ? sql`exists (select from ${sql.table(existingIn)} e where e.id = o.value::int)` : sql`true`}`.execute(
      db,
    )
  }
}

/**
 * Writes the patches that are still valid (a name may have been taken since, or a list option deleted);
 * returns the rejected ones by ID, each with the reason.
 */
export async function writeWhatFits(
  db: Db,
  kind: RecordKind,
  patches: readonly { id: number; patch: Row }[],
  by?: number,
): Promise<Map<number, string>> {
  if (!patches.length) return new Map()
  if ((await attempt(db, kind, () => writeRows(db, kind, patches, by))) === undefined) return new Map()
  const refused = new Map<number, string>()
  for (const one of patches) {
    const why = await attempt(db, kind, () => writeRows(db, kind, [one], by))
    if (why !== undefined) refused.set(one.id, why)
  }
  return refused
}

/**
 * Runs work in a savepoint; returns undefined on success. If a constraint is violated, rolls the work back
 * and returns the reason.
 */
async function attempt(
  db: Db,
  { keyTaken }: RecordKind,
  work: () => Promise<void>,
): Promise<string | undefined> {
  await sql`savepoint attempt`.execute(db)
  try {
    await work()
    await sql`release savepoint attempt`.execute(db)
    return undefined
  } catch (error) {
    if (!(error instanceof DatabaseError) || !error.code?.startsWith('23')) throw error
    await sql`rollback to savepoint attempt`.execute(db)
    if (error.constraint === 'file_links_file_id_fkey') return 'One of its files no longer exists.'
    const taken = keyTaken?.[error.constraint ?? '']
    return taken ?? asHttpError(error)?.message ?? 'This record can’t be restored.'
  }
}
