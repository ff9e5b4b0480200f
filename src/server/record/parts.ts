import { sql, type RawBuilder } from 'kysely'
import type { UndoDirection } from '#shared/operations.ts'
import type { Database, Db } from '#server/db/db.ts'
import { conflict, notFound } from '#server/http/errors.ts'
import { findRecords, liveName, type RecordKind, type Row, type Writing } from '#server/record/rows.ts'

/*
 * Parts of records are rows of other tables, such as notes and sessions. An operation stores the rows that it
 * added, changed, or removed; undo and redo restore them if they haven't changed since.
 */

/** The rows of a table that belong to a record: `where` is an SQL condition on `t`. */
export interface Parts {
  table: keyof Database
  where: RawBuilder<unknown>
}

interface PartChange {
  table_name: string
  row_id: number
  before: Row | null
  after: Row | null
}

async function readParts(db: Db, parts: readonly Parts[]): Promise<Map<string, Map<number, Row>>> {
  const found = new Map<string, Map<number, Row>>()
  for (const { table, where } of parts) {
    const { rows } = await sql<{
      id: number
      row: Row
    }>`select t.id, to_jsonb(t) as row from ${sql.table(table)} t
      where ${where}`.execute(db)
    found.set(table, new Map(rows.map(({ id, row }) => [id, row])))
  }
  return found
}

/** Runs `work`; returns its result and the changes that it made to these parts. */
export async function trackParts<Result>(
  db: Db,
  parts: readonly Parts[],
  work: () => Promise<Result>,
): Promise<{ result: Result; changes: PartChange[] }> {
  const before = await readParts(db, parts)
  const result = await work()
  const after = await readParts(db, parts)
  const changes = parts.flatMap(({ table }) => differencesOf(table, before.get(table)!, after.get(table)!))
  return { result, changes }
}

/** Stores an operation's changes to the parts of a record. */
export async function storePartChanges(
  db: Db,
  operation_id: number,
  { type, id }: { type: string; id: number },
  changes: readonly PartChange[],
): Promise<void> {
  await sql`insert into part_changes (operation_id, record_type, record_id, table_name, row_id, before, after)
    select ${operation_id}, ${type}, ${id}, c.table_name, c.row_id, nullif(c.before, 'null'), nullif(c.after, 'null')
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c(table_name text, row_id int, before jsonb, after jsonb)`.execute(
    db,
  )
}

function differencesOf(
  table_name: string,
  before: ReadonlyMap<number, Row>,
  after: ReadonlyMap<number, Row>,
): PartChange[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])].toSorted((a, b) => a - b)
  return ids.flatMap((row_id) => {
    const [was, is] = [before.get(row_id) ?? null, after.get(row_id) ?? null]
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ table_name, row_id, before: was, after: is }]
  })
}

/** Returns whether an operation changed parts of records. */
export async function hasPartChanges(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select from part_changes where operation_id = ${id} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Undoes or redoes an operation's changes to the parts of records.
 * @throws HttpError 409 if a part has changed since, 404 if its record doesn't exist for the viewer.
 */
export async function undoOrRedoParts(
  writing: Writing,
  kinds: (type: string) => RecordKind,
  { id, summary }: { id: number; summary: string },
  way: UndoDirection,
): Promise<void> {
  const { db, viewer, audit, changed } = writing
  const { rows: owners } = await sql<{ record_type: string; record_id: number; tables: (keyof Database)[] }>`
    select record_type, record_id, array_agg(distinct table_name order by table_name) as tables
    from part_changes where operation_id = ${id} group by 1, 2 order by 1, 2`.execute(db)
  for (const table of owners.flatMap(({ tables }) => tables))
    await sql`select from ${sql.table(table)} t where t.id in (select c.row_id from part_changes c
      where c.operation_id = ${id} and c.table_name = ${table}) order by t.id for update`.execute(db)
  if ((await findChangedParts(db, [id], way)).has(id))
    throw conflict(`This was changed since then, so it can’t be ${way === 'undo' ? 'undone' : 'redone'}.`)
  for (const { record_type, record_id, tables } of owners) {
    const kind = kinds(record_type)
    const [row] = await findRecords(db, kind, [record_id], viewer)
    if (!row) throw notFound('This record doesn’t exist.')
    for (const table of tables) await restoreRows(db, table, id, way)
    audit({ target: kind.type, id: record_id, after: { [way === 'undo' ? 'undone' : 'redone']: summary } })
    changed(liveName(kind), [record_id])
  }
}

/** Returns which of these operations can't be undone or redone because a part has changed since. */
export async function findChangedParts(
  db: Db,
  ids: readonly number[],
  way: UndoDirection,
): Promise<Set<number>> {
  if (!ids.length) return new Set()
  const { rows: tables } = await sql<{
    table_name: keyof Database
  }>`select distinct table_name from part_changes
    where operation_id = any(${ids}::int[])`.execute(db)
  const found = new Set<number>()
  for (const { table_name } of tables) {
    // Columns that have been added since the operation are not compared.
    const from = way === 'undo' ? sql`c.after` : sql`c.before`
    const { rows } = await sql<{ operation_id: number }>`select distinct c.operation_id
      from part_changes c left join ${sql.table(table_name)} t on t.id = c.row_id
      where c.operation_id = any(${ids}::int[]) and c.table_name = ${table_name} and ${from} is distinct from
        (select jsonb_object_agg(e.key, e.value) from jsonb_each(to_jsonb(t)) e where ${from} is null or ${from} ? e.key)`.execute(
      db,
    )
    for (const { operation_id } of rows) found.add(operation_id)
  }
  return found
}

async function restoreRows(db: Db, table: keyof Database, id: number, way: UndoDirection): Promise<void> {
  const to = way === 'undo' ? sql`c.before` : sql`c.after`
  const changes = sql`part_changes c where c.operation_id = ${id} and c.table_name = ${table}`
  await sql`delete from ${sql.table(table)} t where t.id in (select c.row_id from ${changes} and ${to} is null)`.execute(
    db,
  )
  const { rows: columns } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(db)
  const names = columns.map(({ name }) => sql.ref(name))
  const assigned = columns.flatMap(({ name }) =>
    name === 'id' ? [] : [sql`${sql.ref(name)} = excluded.${sql.ref(name)}`],
  )
  const values = columns.map(({ name }) => sql`${sql.ref(`n.${name}`)}`)
  await sql`insert into ${sql.table(table)} (${sql.join(names)}) overriding system value
    select ${sql.join(values)} from part_changes c left join ${sql.table(table)} t on t.id = c.row_id
      cross join lateral jsonb_populate_record(t, ${to}) n
    where c.operation_id = ${id} and c.table_name = ${table} and ${to} is not null
    on conflict (id) do update set ${sql.join(assigned)}`.execute(db)
}
