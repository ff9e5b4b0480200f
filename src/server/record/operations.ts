import { sql } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import { allows, type Access, type Input, type Viewer } from '#shared/endpoint.ts'
import type { Operation, OperationRef } from '#shared/record.contract.ts'
import type { operationStates } from '#shared/operations.ts'
import { counted, isRecordType, rightOn, type RecordType } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { notAllowed, notFound } from '#server/http/errors.ts'
import type { Called } from '#server/http/context.ts'
import { findPage } from '#server/record/list.ts'
import type { BulkChange, LockedOperation, RecordKind, Row } from '#server/record/rows.ts'
import { inScope } from '#server/record/scope.ts'

/* Operations: changes that are undone and redone as a whole (docs/product.md#undo). */

export interface RecordChange {
  id: number
  /** Null if the operation created the record. */
  before: Row | null
  after: Row
  version_before: number
}

interface Begun {
  type: RecordType
  kind: string
  staff_id: number
  /** Description of the operation, without the number of records. */
  summary: string
  /**
   * Permission that the operation required in addition to its endpoint's access, and that undoing it requires
   * too; may be empty.
   */
  needs?: string | undefined
  called: Called
  /** The records of an operation that continues in the background, and the change to apply to each. */
  background?: { todo: readonly number[]; change: BulkChange }
  /** Whether the operation keeps running and reports its own completion. */
  running?: boolean
}

/** Begins an operation that can be undone; returns its ID. */
export async function beginOperation(
  db: Db,
  { type, kind, staff_id, summary, needs = '', called, background, running }: Begun,
): Promise<number> {
  const state = (running ?? background !== undefined) ? 'running' : 'done'
  const { rows } = await sql<{
    id: number
  }>`insert into operations (record_type, kind, staff_id, summary, needs, endpoint, input, state, todo, change)
    values (${type}, ${kind}, ${staff_id}, ${summary}, ${needs}, ${called.endpoint}, ${called.input && JSON.stringify(called.input)}::jsonb,
      ${state}, ${background?.todo ?? []}::int[], ${background ? JSON.stringify(background.change) : null}::jsonb) returning id`.execute(
    db,
  )
  return rows[0]!.id
}

/** Merges operations into another one, so that they are undone and redone together with it. */
export async function joinOperations(db: Db, id: number, parts: readonly number[]): Promise<void> {
  if (!parts.length) return
  await db
    .updateTable('record_changes')
    .set({ operation_id: id })
    .where('operation_id', 'in', parts)
    .execute()
  await db.deleteFrom('operations').where('id', 'in', parts).execute()
}

interface Counted {
  summary: string
  record_type: string
  state: string
  total: number
  changed: number
}

const inWords = ({ summary, record_type, state, total, changed }: Counted): string => {
  const count = state === 'running' ? total : changed
  return isRecordType(record_type) && count > 0 ? `${summary}: ${counted(record_type, count)}` : summary
}

/** Number of records that an operation `o` has chosen or, if that isn't known, changed. */
const total = sql.raw('greatest(cardinality(o.todo), o.changed) as total')

/** Returns the reference to an operation that is included in responses. */
export async function referenceOf(db: Db, id: number): Promise<OperationRef> {
  const { rows } = await sql<Counted>`select o.summary, o.record_type, o.state, o.changed, ${total}
    from operations o where o.id = ${id}`.execute(db)
  return { id, summary: inWords(rows[0]!) }
}

/** Stores changes to records, which have been written, with their operation. */
export async function storeChanges(
  db: Db,
  operation_id: number,
  changes: readonly (RecordChange & { of: RecordType })[],
): Promise<OperationRef> {
  const { rows } =
    await sql<Counted>`with changes as (select * from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as c("of" text, id int, before jsonb, after jsonb, version_before int)),
    stored as (insert into record_changes (operation_id, record_type, record_id, before, after, version_before, version_after)
      select ${operation_id}, "of", id, nullif(before, 'null'), after, version_before, version_before + 1 from changes)
    update operations o set changed = o.changed + (select count(*) from changes where "of" = o.record_type)
    where o.id = ${operation_id} returning o.summary, o.record_type, o.state, o.changed, ${total}`.execute(db)
  return { id: operation_id, summary: inWords(rows[0]!) }
}

/**
 * Stores which records an operation left out, and why. Their changes are empty, so undo and redo leave them
 * alone too.
 */
export async function storeSkipped(
  db: Db,
  operation_id: number,
  { type }: RecordKind,
  skipped: readonly { id: number; version: number; why: string }[],
): Promise<void> {
  if (!skipped.length) return
  await sql`insert into record_changes (operation_id, record_type, record_id, before, after, version_before, version_after, undo, undo_why)
    select ${operation_id}, ${type}, id, '{}', '{}', version, version, 'skipped', why
    from jsonb_to_recordset(${JSON.stringify(skipped)}::jsonb) as s(id int, version int, why text)
    on conflict do nothing`.execute(db)
}

const perPage = 20
/** The records that an operation `o` changed, either directly or through their parts. */
const changedRecords = sql.raw(`(select record_type, record_id from record_changes where operation_id = o.id
  union all select record_type, record_id from part_changes where operation_id = o.id) c`)

/**
 * Limits operations `o` to the viewer's own or, for roles 0 and 1, everyone's, and to those that changed a
 * record that the viewer can see, because the summary may name it.
 */
const visibleTo = (viewer: Viewer, kinds: readonly RecordKind[]) =>
  sql`${isAdminRole(viewer.role_id) ? sql`true` : sql`o.staff_id = ${viewer.id}`}
    and (not exists (select from ${changedRecords}) or exists (select from ${changedRecords} where ${inScope(kinds, viewer, { type: 'c.record_type', id: 'c.record_id' })}))`

const columns = sql`o.id, o.record_type, o.kind, o.at, o.staff_id, o.needs, o.state, o.summary, o.seen, o.changed, o.undone_at, ${total},
  case when o.undone_at is null and cardinality(o.todo) = 0 then 0
    else (select count(*) from record_changes c where c.operation_id = o.id and c.undo = 'skipped') end as skipped,
  (select s.name from staff s where s.id = o.staff_id) as who,
  (select s.name from staff s where s.id = o.undone_by) as undone_by,
  case when o.stop_reason is not null then json_build_object('reason', o.stop_reason,
    'who', (select s.name from staff s where s.id = coalesce(o.stopped_by, o.staff_id))) end as stopped`

/** Returns a page of the operations of a type that the viewer can see, newest first, without edits of single records. */
export async function findOperations(
  db: Db,
  viewer: Viewer,
  kinds: readonly RecordKind[],
  { page, type }: { page: number; type: RecordType },
): Promise<{ data: Operation[]; total: number; per_page: number }> {
  const where = sql`o.record_type = ${sql.lit(type)} and o.kind <> 'edit' and ${visibleTo(viewer, kinds)}`
  const found = await findPage(
    db,
    page,
    perPage,
    (limit) => sql<Operation>`select ${columns} from operations o where ${where} order by o.id desc ${limit}`,
    sql`from operations o where ${where}`,
  )
  return { ...found, data: found.data.map((row) => ({ ...row, summary: inWords(row) })) }
}

/**
 * Returns an operation, of one type if one is named.
 * @throws HttpError 404 if it doesn't exist for the viewer.
 */
export async function findOperation(
  db: Db,
  viewer: Viewer,
  kinds: readonly RecordKind[],
  { id, type }: { id: number; type?: RecordType },
): Promise<Operation> {
  const { rows } = await sql<Operation>`select ${columns} from operations o
    where o.id = ${id} and ${type === undefined ? sql`true` : sql`o.record_type = ${type}`} and ${visibleTo(viewer, kinds)}`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw notFound('Operation not found.')
  return { ...found, summary: inWords(found) }
}

/** Returns an operation, without checking access to it. */
export async function getOperation(db: Db, id: number): Promise<Operation> {
  const { rows } = await sql<Operation>`select ${columns} from operations o where o.id = ${id}`.execute(db)
  return rows[0]!
}

export interface StoredOperation extends LockedOperation {
  kind: string
  staff_id: number
  needs: string
  endpoint: string
  input: Input | null
}

/** Columns of a stored operation `o`. */
export const storedColumns = sql.raw(
  'o.id, o.record_type, o.kind, o.state, o.changed, o.staff_id, o.undone_by, o.needs, o.endpoint, o.input',
)

/** Returns an endpoint's access rule by its name, such as `POST /admin/tags`. */
export type AccessOf = (endpoint: string) => Access | undefined

/** Returns whether the viewer could currently perform the operation themselves. */
export function isOperationAllowed(act: StoredOperation, viewer: Viewer, accessOf: AccessOf): boolean {
  const { record_type: type, kind, needs, endpoint } = act
  const isHeld = needs === '' || (viewer.permissions as ReadonlySet<string>).has(needs)
  // For operations on leads, the permission in `needs` decides instead.
  const fallback =
    isRecordType(type) && type !== 'lead'
      ? rightOn(type, kind === 'delete' || kind === 'restore' ? 'remove' : 'write')
      : 'signed-in'
  const access = accessOf(endpoint) ?? fallback
  const input = act.input ?? { params: { type }, query: {}, body: {} }
  return isHeld && allows(access, viewer, input)
}

/**
 * Locks an operation.
 * @throws HttpError 404 if it doesn't exist for the viewer, 403 if they could not currently perform it.
 */
export async function lockOperation(
  db: Db,
  id: number,
  viewer: Viewer,
  kinds: readonly RecordKind[],
  accessOf: AccessOf,
): Promise<LockedOperation> {
  const { rows } = await sql<StoredOperation>`select ${storedColumns} from operations o
    where o.id = ${id} and ${visibleTo(viewer, kinds)} for update`.execute(db)
  const act = rows[0]
  if (!act) throw notFound('Operation not found.')
  if (!isOperationAllowed(act, viewer, accessOf)) throw notAllowed()
  return act
}

/** Sets an operation's state; `undone_by` and `undone_at` remain set until the redo is complete. */
export async function setState(
  db: Db,
  id: number,
  state: (typeof operationStates)[number],
  staff_id: number,
): Promise<void> {
  const isTurned = state === 'undoing' || state === 'undone' || state === 'redoing'
  await sql`update operations set state = ${state}, undone_at = ${isTurned ? sql`now()` : null}, undone_by = ${isTurned ? staff_id : null},
    stop_reason = null, stopped_by = null where id = ${id}`.execute(db)
}
