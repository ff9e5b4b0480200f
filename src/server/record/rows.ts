import { sql, type RawBuilder, type Selectable, type Transaction } from 'kysely'
import type { Access, Viewer } from '#shared/endpoint.ts'
import type { Referenced } from '#shared/field.ts'
import type { Candidate } from '#shared/recipients.ts'
import type { OperationRef } from '#shared/record.contract.ts'
import { liveNameOf, type LiveName, type RecordType } from '#shared/records.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { Change } from '#server/http/audit.ts'
import type { Called } from '#server/http/context.ts'
import { selectedFiles, type FileField } from '#server/record/file-fields.ts'
import type { UndoRules } from '#server/record/undo-rules.ts'

/* Record kinds, and functions that find and lock records as rows, as specified by their kind. */

export type Row = Record<string, unknown>

/** IDs in a join table, such as a task's organizations; the field contains them in ascending order. */
interface Links {
  table: keyof Database
  own: string
  other: string
  /** Table of the linked records, if links to records that no longer exist are left out. */
  existingIn?: keyof Database
  /** Whether the rows themselves move from record to record, such as a lead's sessions. */
  moves?: true
}

/** A bulk change as plain data, so that a job can continue it; see `batches.ts`. */
export interface BulkChange {
  kind: string
  [field: string]: unknown
}

/** The author and the time of a bulk change. */
export interface ChangedBy {
  staff_id: number
  now: string
}

/** How records of a type are the open work of admin users, which is reassigned when one is deactivated. */
export interface OpenWork {
  /** Columns that contain the ID of an admin user. */
  columns: readonly string[]
  /** Access required to take over a column's work; defaults to reading records of the type. */
  access?: Readonly<Record<string, Access>>
  /** Columns that keep the person if the work is left unassigned, because there is always one. */
  kept?: readonly string[]
  /** SQL condition for records that are still open. */
  open: RawBuilder<unknown>
  /** SQL for the product that the new assignee must have access to; absent if there is none. */
  product?: RawBuilder<unknown>
  /** SQL condition that tells the types in one table apart. */
  only?: RawBuilder<unknown>
}

/** Who sees the records of a type. */
interface Visibility {
  /** SQL condition over `r` that limits records to those visible to a viewer; by default, all are visible. */
  scope?: (viewer: Viewer) => RawBuilder<unknown>
  /**
   * SQL over `r` for the IDs of a record's products, and the columns that move a record to other products
   * when they change. Live events go to viewers who have one of these products. If `products` is absent or
   * the SQL returns null, they go to everyone who is allowed to listen.
   */
  products?: { of: string; movedBy?: readonly string[] }
  /**
   * Types of the records that this type's records belong to, each with SQL over `r` that is true if a record
   * belongs to one of `ids`. Records are hidden along with those that they belong to.
   */
  belongsTo?: { readonly [Type in RecordType]?: (ids: RawBuilder<unknown>) => RawBuilder<unknown> }
}

/** The notes and the history of a record type. */
interface HistoryRules {
  /** SQL for the IDs whose notes and history are shown on a record; defaults to the record's own ID. */
  relatedIds?: (id: number) => RawBuilder<unknown>
  /** Returns whether a viewer can see what was changed, apart from notes; by default, everyone who sees the record can. */
  mayRead?: (viewer: Viewer) => boolean
  /**
   * SQL condition over `r` for the visible records whose changes a viewer can see, in the history and in the
   * audit log; by default, all.
   */
  scope?: (viewer: Viewer) => RawBuilder<unknown>
  /** Fields that the history leaves out because the panel maintains them itself. */
  unaudited?: readonly string[]
}

/** The bulk changes that only this type has. */
interface BulkRules<Values extends Row> {
  /** Returns the fields that a bulk change sets on a record. */
  patchOf(change: any, row: StoredRecord<Values>, by: ChangedBy): Row
  /** Endpoint of bulk changes stored before operations had endpoints. */
  endpoint?: string
}

/** The trash of a record type, or what it has instead. */
interface TrashRules {
  /** SQL over `r` for what the trash searches instead of the name, and for what it shows besides the name. */
  find?: { search: string; note: string }
  /** Values, apart from the trash state, that restoring from the trash sets. */
  restored?: Row
  /** Called in the transaction that moves records to the trash, except by an undo or redo. */
  onTrash?: (writing: Pick<Writing, 'db' | 'changed'>, ids: readonly number[]) => Promise<void>
  /** What to do instead of moving records to the trash, for a type without a trash. */
  instead?: string
}

/**
 * Facts about a type that the record kit needs. A new type needs the identity and the fields. `Values` are those of a
 * record; `recordKind` takes them from the table.
 */
export interface RecordKind<Values extends Row = Row> {
  // Identity.
  type: RecordType
  table: keyof Database
  /** Name of the ID column; defaults to `id`. */
  id?: string
  /** SQL over `r` for the display name. */
  name: string
  /** SQL over `r` for the record's status, as JSON with its name and tone; absent for types without one. */
  state?: RawBuilder<unknown>
  /** Path of a record's page with `$id`; absent if it has none. Emails and notices lead there. */
  page?: string

  // Fields.
  /** Columns that users can change and that undo restores. */
  columns: readonly string[]
  /** API names of the columns whose API name differs, such as `{ companyName: 'company_name' }`. */
  wireNames?: Readonly<Record<string, string>>
  links?: Readonly<Record<string, Links>>
  /** The tables that the IDs in fields refer to, by API name; history and conflicts have names instead. */
  references?: Readonly<Record<string, Referenced>>
  /**
   * JSON columns whose entries are separate fields, each with the name that an entry has in history and conflicts.
   * Requests send only the entries that change; null removes one.
   */
  maps?: Readonly<Record<string, (key: string) => string>>
  /** File fields by name, such as `file_ids`; each field contains the IDs of its files in order. */
  files?: Readonly<Record<string, FileField>>
  /** Rich text columns; undoing a change to one also restores its images. */
  richText?: readonly string[]
  /**
   * Values other than columns that a permission check depends on, as SQL over `r`; they are read with the
   * record and never written.
   */
  extraColumns?: Readonly<Record<string, string>>
  /** Messages for violations of unique keys, by constraint. */
  keyTaken?: Readonly<Record<string, string>>

  // Rules.
  visibility?: Visibility
  /**
   * Checks a permission that depends on the record; throws (403) if the viewer is not allowed to change or
   * remove the record. Undo and redo also call it, with the fields that they would set.
   */
  authorize?(act: 'change' | 'remove', row: StoredRecord<Values>, viewer: Viewer, patch?: Row): void
  history?: HistoryRules
  undo?: UndoRules
  bulk?: BulkRules<Values>
  trash?: TrashRules
  live?: {
    /** Name under which open pages are notified of this type's operations, except single edits. */
    operations: LiveName
  }
  openWork?: OpenWork
  /** Name of a lock that writers take before they lock rows, because changing one row shifts others. */
  lockName?: string

  // Emails.
  /** Column with the ID of the record that this one was merged into. Replies to its emails arrive there. */
  mergedInto?: string
  /** Returns the people of a record who can be emailed from its page, the main contact first. */
  people?: (db: Db, id: number) => Promise<readonly Candidate[]>
}

/** A bulk change whose records have all been changed. */
export interface FinishedBulk {
  operation_id: number
  change: BulkChange
  /** The records that it changed. */
  ids: readonly number[]
}

/** What follows a bulk change of a record type, such as a notice, in the transaction that finishes it. */
export type AfterBulk = (
  writing: Omit<UndoWriting, 'viewer'> & { viewer: Viewer & { name: string } },
  done: FinishedBulk,
) => Promise<void>

/** An operation that no one else can undo or redo until the transaction ends. */
export interface LockedOperation {
  id: number
  record_type: string
  kind: string
  state: string
  changed: number
  undone_by: number | null
}

/** Result of undoing or redoing an operation. */
export interface UndoResult {
  turned: number
  /** Names of the records that were skipped, each with the reason. */
  skipped: string[]
  operation: OperationRef
  message: string
}

/** A record as stored: its columns, links, files, `id`, and `version`. */
export type StoredRecord<Values extends Row = Row> = Row &
  Values & { id: number; version: number; deleted_at: string | null }

/** A stored record of a kind that `recordKind` typed. */
export type StoredOf<Kind> = Kind extends RecordKind<infer Values> ? StoredRecord<Values> : never

/** The values of a record: those of its columns, and the IDs in its links and file fields. */
type ValuesOf<Table extends keyof Database, Column extends PropertyKey, Ids extends string> = Row &
  Pick<Selectable<Database[Table]>, Column & keyof Selectable<Database[Table]>> & { [Field in Ids]: number[] }

/** Returns a record kind whose records have the types of their table. */
export const recordKind = <
  Table extends keyof Database,
  Column extends string,
  Extra extends string = never,
  Link extends string = never,
  File extends string = never,
>(
  kind: RecordKind<NoInfer<ValuesOf<Table, Column | Extra, Link | File>>> & {
    table: Table
    columns: readonly Column[]
    extraColumns?: Readonly<Record<Extra, string>>
    links?: Readonly<Record<Link, Links>>
    files?: Readonly<Record<File, FileField>>
  },
): RecordKind<ValuesOf<Table, Column | Extra, Link | File>> => kind

/** The part of a write's context that record functions need. */
export interface Writing {
  db: Transaction<Database>
  viewer: Viewer
  called: Called
  audit: (change: Change) => void
  /**
   * @param left products that these records no longer belong to; viewers who have these products are notified
   * as well
   */
  changed: (type: LiveName, ids: readonly number[], left?: readonly number[]) => void
}

/** A write that can undo and redo operations. */
export interface UndoWriting extends Writing {
  afterCommit: (action: () => void) => void
  /** Adds a sentence to the message of an undo or redo; absent in the background. */
  say?: (sentence: string) => void
}

/** A write that a job can continue. */
export interface ContinuableWriting extends UndoWriting {
  /** Sends a job that runs after the commit. */
  enqueue: (queue: string, data: object) => Promise<void>
}

export const idOf = (kind: Pick<RecordKind, 'id'>) => kind.id ?? 'id'
const quoted = (name: string) => `"${name}"`

/** Returns the SQL condition over `r` for the records that a viewer can see; all without a viewer. */
export const scopeOf = (
  { visibility }: Pick<RecordKind, 'visibility'>,
  viewer: Viewer | undefined,
): RawBuilder<unknown> => (viewer && visibility?.scope ? visibility.scope(viewer) : sql`true`)

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
      ...selectedFiles(kind, idOf(kind)),
      ...Object.entries(kind.extraColumns ?? {}).map(([field, words]) => `${words} as ${quoted(field)}`),
    ].join(', '),
  )

/**
 * Returns the products of these records, one row per record and product; the product is null if a record
 * belongs to none.
 */
export async function findProducts(
  db: Db,
  { table, id = 'id', visibility }: RecordKind,
  ids: readonly number[],
): Promise<{ id: number; product: number | null }[]> {
  const products = visibility?.products
  if (!products) return ids.map((one) => ({ id: one, product: null }))
  const own = sql.ref(`r.${id}`)
  const { rows } = await sql<{ id: number; product: number | null }>`select ${own} as id, p.product
    from ${sql.table(table)} r cross join lateral unnest(coalesce(${sql.raw(products.of)}, array[null]::int[])) as p(product)
    where ${own} = any(${ids}::int[])`.execute(db)
  return rows
}

/** Returns the product that a record belongs to; undefined if it belongs to none or to several. */
export async function findOnlyProduct(db: Db, kind: RecordKind, id: number): Promise<number | undefined> {
  const products = await findProducts(db, kind, [id])
  return products.length === 1 ? (products[0]!.product ?? undefined) : undefined
}

/**
 * Returns the products that the records belong to before they are patched, because a patch may move them to
 * other products.
 */
export async function productsBefore(
  db: Db,
  kind: RecordKind,
  patches: readonly { id: number; patch: Row }[],
): Promise<number[]> {
  const moved = patches.filter(({ patch }) =>
    kind.visibility?.products?.movedBy?.some((column) => column in patch),
  )
  if (!moved.length) return []
  const found = await findProducts(
    db,
    kind,
    moved.map(({ id }) => id),
  )
  return [...new Set(found.flatMap(({ product }) => product ?? []))]
}

export const liveName = ({ type }: Pick<RecordKind, 'type'>): LiveName => liveNameOf(type)

interface Find {
  /** Finds records in the trash instead of live ones. */
  trashed?: boolean
  lock?: boolean
}

/**
 * Takes the lock of a record kind in which changing one record shifts others; other writers of this kind wait
 * until the transaction ends.
 */
export async function lockKind(db: Db, { lockName }: RecordKind): Promise<void> {
  if (lockName !== undefined) await sql`select pg_advisory_xact_lock(hashtext(${lockName}))`.execute(db)
}

/**
 * Returns the records that are visible to the viewer, ordered by ID. They are locked in that order, so that
 * two concurrent bulk changes wait for each other instead of deadlocking.
 */
export async function findRecords<Values extends Row>(
  db: Db,
  kind: RecordKind<Values>,
  ids: readonly number[],
  viewer: Viewer | undefined,
  { trashed = false, lock = false }: Find = {},
): Promise<StoredRecord<Values>[]> {
  if (lock) await lockKind(db, kind)
  const { rows } = await sql<StoredRecord<Values>>`select ${selected(kind)} from ${sql.table(kind.table)} r
    where r.${sql.ref(idOf(kind))} = any(${ids}::int[]) and r.deleted_at is ${sql.raw(trashed ? 'not null' : 'null')} and ${scopeOf(kind, viewer)}
    order by r.${sql.ref(idOf(kind))} ${sql.raw(lock ? 'for update of r' : '')}`.execute(db)
  return rows
}
