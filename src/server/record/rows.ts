import { CompiledQuery, sql, type RawBuilder, type Transaction } from 'kysely'
import { DatabaseError } from 'pg'
import type { Viewer } from '#shared/endpoint.ts'
import type { Way } from '#shared/operations.ts'
import type { OperationRef } from '#shared/record.contract.ts'
import type { LiveName, RecordType } from '#shared/records.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { Change } from '#server/http/audit.ts'
import { asHttpError } from '#server/http/errors.ts'

/*
 * Records as rows: how they are found, locked and written by what their descriptor says.
 */

export type Row = Record<string, unknown>

/** Ids that stand in a table of pairs, as the organizations of a task: the field holds them in order. */
interface Links {
  table: keyof Database
  own: string
  other: string
}

export interface RecordKind {
  type: RecordType
  table: keyof Database
  /** The column of its number; `id` where it is not said. */
  id?: string
  /** SQL over `r` that names a record for people. */
  name: string
  /** The columns that people change: what undoing puts back. */
  columns: readonly string[]
  links?: Readonly<Record<string, Links>>
  /** The columns that hold formatted text: undoing one puts the pictures back that stand in it. */
  richText?: readonly string[]
  /** SQL over `r`: the records that exist for a viewer; all of them where it is not said. */
  scope?: (viewer: Viewer) => RawBuilder<unknown>
  /** What a right depends on beyond the columns, as SQL over `r`: it is read with the record and never written. */
  also?: Readonly<Record<string, string>>
  /** A right that depends on the record: throws (403) where the viewer may not do this to it. */
  demand?: (act: 'change' | 'remove', row: Row, viewer: Viewer) => void
  /**
   * What follows when an undo or redo made `to` of `from`, in its transaction; only the fields that changed are in them.
   * Throws (403) where the viewer may not make this change: then nothing is turned.
   */
  turned?: (writing: Writing, id: number, change: { from: Row; to: Row; way: 'undo' | 'redo' }) => Promise<void>
  /** The name under which changes are told to open pages; the type where it is not said. */
  live?: LiveName
  /** The ids under whose notes and history a record is found; itself where it is not said. */
  family?: (id: number) => RawBuilder<unknown>
  /** Who is told what was changed of a record; whoever may look at one where it is not said. Notes are not concerned. */
  tellsHistory?: (viewer: Viewer) => boolean
  /** Turns acts on this type in its own way, because they may be on many thousands and go on in the background. */
  turnAct?: (writing: Writing, act: HeldAct, way: Way) => Promise<Turned>
  /** Writers wait for each other before they lock rows, because a change of one moves others: the name of the lock. */
  turn?: string
  /** Fields that the history leaves out because the panel keeps them by itself. */
  unaudited?: readonly string[]
}

/** An act that nobody else turns until the transaction ends. */
export interface HeldAct {
  id: number
  record_type: string
  state: string
  changed: number
  undone_by: number | null
}

/** What came of undoing an act, or of doing it again. */
export interface Turned {
  turned: number
  /** The names of those that were left alone, each with why. */
  skipped: string[]
  operation: OperationRef
  /** What is said of it, where the type has words of its own. */
  message?: string
}

/** A record as it is stored: its columns and links, `id` and `version`. */
export type Held = Row & { id: number; version: number; deleted_at: string | null }

/** What the kit needs of a write's context. */
export interface Writing {
  db: Transaction<Database>
  viewer: Viewer
  record: (change: Change) => void
  changed: (type: LiveName, ids: readonly number[]) => void
}

export const idOf = (kind: RecordKind) => kind.id ?? 'id'
const quoted = (name: string) => `"${name}"`
const visible = (kind: RecordKind, viewer: Viewer | undefined) => (viewer && kind.scope ? kind.scope(viewer) : sql`true`)
const selected = (kind: RecordKind) =>
  sql.raw(
    [
      `r.${quoted(idOf(kind))} as id`,
      'r.version',
      'r.deleted_at',
      'r.deleted_by',
      ...kind.columns.map((column) => `r.${quoted(column)}`),
      ...Object.entries(kind.links ?? {}).map(
        ([field, { table, own, other }]) =>
          `array(select k.${quoted(other)} from ${quoted(table)} k where k.${quoted(own)} = r.${quoted(idOf(kind))} order by 1) as ${quoted(field)}`,
      ),
      ...Object.entries(kind.also ?? {}).map(([field, words]) => `${words} as ${quoted(field)}`),
    ].join(', '),
  )

export const liveName = (kind: RecordKind): LiveName => kind.live ?? kind.type

interface Find {
  /** Those in the trash instead of the living. */
  trashed?: boolean
  lock?: boolean
}

/** Where a change of one record moves others: whoever else writes records of this kind waits until the transaction ends. */
export async function waitForTurn(db: Db, { turn }: RecordKind): Promise<void> {
  if (turn !== undefined) await sql`select pg_advisory_xact_lock(hashtext(${turn}))`.execute(db)
}

/** Records that exist for the viewer, in the order of their ids; locked in that order, so that two who change many wait instead of blocking each other. */
export async function findRecords(
  db: Db,
  kind: RecordKind,
  ids: readonly number[],
  viewer: Viewer | undefined,
  { trashed = false, lock = false }: Find = {},
): Promise<Held[]> {
  if (lock) await waitForTurn(db, kind)
  const { rows } = await sql<Held>`select ${selected(kind)} from ${sql.table(kind.table)} r
    where r.${sql.ref(idOf(kind))} = any(${ids}::int[]) and r.deleted_at is ${sql.raw(trashed ? 'not null' : 'null')} and ${visible(kind, viewer)}
    order by r.${sql.ref(idOf(kind))} ${sql.raw(lock ? 'for update of r' : '')}`.execute(db)
  return rows
}

/** What a patch would make different of a record: columns, links and the trash; everything else in it is dropped. */
export function differing(kind: RecordKind, row: Row, patch: Row): Row {
  const known = [...kind.columns, ...Object.keys(kind.links ?? {}), 'deleted_at', 'deleted_by']
  return Object.fromEntries(
    Object.entries(patch).flatMap(([name, value]) => {
      if (value === undefined || !known.includes(name)) return []
      const next = kind.links?.[name] ? inOrder(value) : value
      return isSame(next, row[name] ?? null) ? [] : [[name, next]]
    }),
  )
}

export const isSame = (one: unknown, other: unknown) => JSON.stringify(inOrder(one) ?? null) === JSON.stringify(inOrder(other) ?? null)
/** Ids are a set. */
const inOrder = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => typeof one === 'number') ? [...new Set(value)].toSorted((a, b) => a - b) : value

/** Writes patches into records, each of which grows by one version. */
export async function writeRows(db: Db, kind: RecordKind, patches: readonly { id: number; patch: Row }[]): Promise<void> {
  if (!patches.length) return
  const columns = [...kind.columns, 'deleted_at', 'deleted_by']
  // The stored record with what the patch names in its place; what it does not name stays.
  const text = `update ${quoted(kind.table)} r set (${columns.map(quoted).join(', ')}, version, updated_at) =
      (select ${columns.map((column) => `n.${quoted(column)}`).join(', ')}, r.version + 1, now() from jsonb_populate_record(r, p.patch) n)
    from jsonb_to_recordset($1::jsonb) as p(id int, patch jsonb) where r.${quoted(idOf(kind))} = p.id`
  await db.executeQuery(CompiledQuery.raw(text, [JSON.stringify(patches)]))
  await writeLinks(db, kind, patches)
}

export async function writeLinks(db: Db, kind: RecordKind, patches: readonly { id: number; patch: Row }[]): Promise<void> {
  for (const [field, { table, own, other }] of Object.entries(kind.links ?? {})) {
    const linked = patches.filter(({ patch }) => Array.isArray(patch[field])).map(({ id, patch }) => ({ id, ids: [...new Set(patch[field] as number[])] }))
    if (!linked.length) continue
    await sql`delete from ${sql.table(table)} where ${sql.ref(own)} = any(${linked.map(({ id }) => id)}::int[])`.execute(db)
    await sql`insert into ${sql.table(table)} (${sql.ref(own)}, ${sql.ref(other)})
      select l.id, o.value::int from jsonb_to_recordset(${JSON.stringify(linked)}::jsonb) as l(id int, ids jsonb), jsonb_array_elements_text(l.ids) o`.execute(
      db,
    )
  }
}

/** The same where some may not fit any more (a name that is taken, a list entry that is gone): answers those that stay, each with why. */
export async function writeWhatFits(db: Db, kind: RecordKind, patches: readonly { id: number; patch: Row }[]): Promise<Map<number, string>> {
  if ((await attempt(db, () => writeRows(db, kind, patches))) === undefined) return new Map()
  const refused = new Map<number, string>()
  for (const one of patches) {
    const why = await attempt(db, () => writeRows(db, kind, [one]))
    if (why !== undefined) refused.set(one.id, why)
  }
  return refused
}

/** Undefined where it worked; where the database refused, why, and nothing of it is left. */
async function attempt(db: Db, work: () => Promise<void>): Promise<string | undefined> {
  await sql`savepoint attempt`.execute(db)
  try {
    await work()
    await sql`release savepoint attempt`.execute(db)
    return undefined
  } catch (error) {
    if (!(error instanceof DatabaseError) || !error.code?.startsWith('23')) throw error
    await sql`rollback to savepoint attempt`.execute(db)
    return asHttpError(error)?.message ?? 'It cannot be put back.'
  }
}

/** What people read of a change: the trash as yes or no, without what the panel keeps by itself. */
export function audited(kind: RecordKind, row: Row): Row {
  const { deleted_at, deleted_by: _by, ...rest } = row
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !kind.unaudited?.includes(name)))
  return { ...kept, ...(deleted_at === undefined ? {} : { in_trash: deleted_at !== null }) }
}
