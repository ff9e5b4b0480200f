import { sql, type RawBuilder } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import { allows, type Access, type Input, type Viewer } from '#shared/endpoint.ts'
import type { Operation, OperationRef, ReversibleOperation } from '#shared/record.contract.ts'
import { undoRefusalReason, type operationStates, type UndoDirection } from '#shared/operations.ts'
import { counted, isRecordType, rightOn, type RecordType } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, notAllowed, notFound } from '#server/http/errors.ts'
import { imagesIn } from '#server/html-clean.ts'
import { putBackImages } from '#server/record-files.ts'
import { nameFiles } from '#server/record/file-fields.ts'
import { findChangedParts, hasPartChanges, undoOrRedoParts } from '#server/record/parts.ts'
import {
  audited,
  findRecords,
  liveName,
  lockKind,
  productsBefore,
  writeWhatFits,
  type Called,
  type LockedOperation,
  type RecordKind,
  type Row,
  type UndoResult,
  type Writing,
} from '#server/record/rows.ts'
import { inScope } from '#server/record/scope.ts'

/* Operations that can be undone and redone as a whole: docs/product.md#undo. */

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
  needs: string
  called: Called
}

export async function beginOperation(
  db: Db,
  { type, kind, staff_id, summary, needs, called }: Begun,
): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into operations (record_type, kind, staff_id, summary, needs, endpoint, input)
    values (${type}, ${kind}, ${staff_id}, ${summary}, ${needs}, ${called.endpoint}, ${called.input && JSON.stringify(called.input)}::jsonb) returning id`.execute(
    db,
  )
  return rows[0]!.id
}

/** Deletes an operation that changed nothing. */
export async function dropOperation(db: Db, id: number): Promise<void> {
  await db.deleteFrom('operations').where('id', '=', id).execute()
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

const inWords = ({
  summary,
  record_type,
  changed,
}: {
  summary: string
  record_type: string
  changed: number
}): string =>
  isRecordType(record_type) && changed > 0 ? `${summary}: ${counted(record_type, changed)}` : summary

/** Returns the reference to an operation that is included in responses. */
export async function referenceOf(db: Db, id: number): Promise<OperationRef> {
  const found = await db
    .selectFrom('operations')
    .select(['id', 'summary', 'record_type', 'changed'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, summary: inWords(found) }
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

const columns =
  sql.raw(`o.id, o.record_type, o.kind, o.at, o.staff_id, o.needs, o.state, o.summary, o.changed, o.undone_at,
  (select s.name from staff s where s.id = o.staff_id) as who,
  (select s.name from staff s where s.id = o.undone_by) as undone_by`)

/**
 * Returns a page of the operations that the viewer can see, newest first; operations on leads have a separate
 * page.
 */
export async function findOperations(
  db: Db,
  viewer: Viewer,
  kinds: readonly RecordKind[],
  { page, type }: { page: number; type?: string | undefined },
): Promise<{ data: Operation[]; total: number; per_page: number }> {
  const where = sql`${type === undefined ? sql`o.record_type <> 'lead'` : sql`o.record_type = ${type}`}
    and ${visibleTo(viewer, kinds)}`
  const [{ rows }, total] = await Promise.all([
    sql<Operation>`select ${columns} from operations o where ${where} order by o.id desc limit ${perPage} offset ${(page - 1) * perPage}`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*) as total from operations o where ${where}`.execute(db),
  ])
  return {
    data: rows.map((row) => ({ ...row, summary: inWords(row) })),
    total: total.rows[0]!.total,
    per_page: perPage,
  }
}

interface Stored extends LockedOperation {
  kind: string
  needs: string
  endpoint: string
  input: Input | null
}

/** Returns an endpoint's access rule by its name, such as `POST /admin/tags`. */
export type AccessOf = (endpoint: string) => Access | undefined

/** Returns whether the viewer could currently perform the operation themselves. */
function isOperationAllowed(act: Stored, viewer: Viewer, accessOf: AccessOf): boolean {
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
async function lockOperation(
  db: Db,
  id: number,
  viewer: Viewer,
  kinds: readonly RecordKind[],
  accessOf: AccessOf,
): Promise<LockedOperation> {
  const { rows } =
    await sql<Stored>`select id, record_type, kind, state, changed, undone_by, needs, endpoint, input from operations o
    where id = ${id} and ${visibleTo(viewer, kinds)} for update`.execute(db)
  const act = rows[0]
  if (!act) throw notFound('Operation not found.')
  if (!isOperationAllowed(act, viewer, accessOf)) throw notAllowed()
  return act
}

/**
 * Returns which of these operations the viewer can undo or redo from the history of records of a type, by
 * operation ID. Leaves out operations that the viewer could not perform themselves, operations by other users
 * (except for roles 0 and 1), and operations whose records have changed since.
 */
export async function findReversible(
  db: Db,
  kind: RecordKind,
  records: RawBuilder<unknown>,
  { viewer, accessOf }: { viewer: Viewer; accessOf: AccessOf },
  ids: readonly number[],
): Promise<Map<number, ReversibleOperation>> {
  if (!ids.length) return new Map()
  const isUndone = sql`o.state = 'undone'`
  const { rows } =
    await sql<Stored>`select o.id, o.record_type, o.kind, o.state, o.changed, o.undone_by, o.needs, o.endpoint, o.input
    from operations o where o.id = any(${ids}::int[]) and ${isAdminRole(viewer.role_id) ? sql`true` : sql`o.staff_id = ${viewer.id}`}
      and not exists (select from record_changes c join ${sql.table(kind.table)} r on ${sql.ref(`r.${kind.id ?? 'id'}`)} = c.record_id
        where c.operation_id = o.id and c.record_type = ${kind.type} and c.record_id in (${records})
          and case when ${isUndone} then c.undo is distinct from 'undone' or c.version_undone is distinct from r.version
            else c.undo is not null or c.version_after <> r.version end)`.execute(db)
  const found = new Map<number, ReversibleOperation>()
  for (const way of ['undo', 'redo'] as const) {
    const allowed = rows.filter(
      (act) => !undoRefusalReason(act, way) && isOperationAllowed(act, viewer, accessOf),
    )
    const changedSince = await findChangedParts(
      db,
      allowed.map(({ id }) => id),
      way,
    )
    for (const { id, changed } of allowed) if (!changedSince.has(id)) found.set(id, { id, way, changed })
  }
  return found
}

interface RevertibleChange {
  record_id: number
  before: Row | null
  after: Row
  version: number
  unchanged: boolean
  in_trash: boolean
  name: string
}

/** The registered record kinds. */
interface RecordKinds {
  get: (type: string) => RecordKind
  all: () => RecordKind[]
}

/**
 * Undoes (`undo`) or redoes (`redo`) an operation on the records that exist for the viewer and have not
 * changed since; all other records are left alone. This is a change like any other: it increments versions
 * and appears in the history.
 */
export async function undoOrRedo(
  writing: Writing,
  { kinds, accessOf }: { kinds: RecordKinds; accessOf: AccessOf },
  id: number,
  way: UndoDirection,
): Promise<UndoResult> {
  const { db, viewer } = writing
  const act = await lockOperation(db, id, viewer, kinds.all(), accessOf)
  const why = undoRefusalReason(act, way)
  if (why) throw conflict(why, await getOperation(db, id))
  const hasParts = await hasPartChanges(db, id)
  const { undoOrRedoOperation } = kinds.get(act.record_type)
  if (undoOrRedoOperation && !hasParts) return undoOrRedoOperation(writing, act, way)
  await sql`set local statement_timeout = '30s'`.execute(db)
  // An operation may have changed records of several types; its own type comes first.
  const { rows: types } = await sql<{
    record_type: string
    created: boolean
  }>`select record_type, bool_or(before is null) as created from record_changes where operation_id = ${id} group by 1`.execute(
    db,
  )
  const sorted = types.map(({ record_type }) => record_type).toSorted()
  // Other requests lock a lead before its onboarding, so the rows are locked in this order even though the
  // operation's own type is undone first.
  if (sorted.length > 1) for (const name of sorted) await lockChanged(db, kinds.get(name), id)
  const names = [...new Set([act.record_type, ...sorted])]
  // Records that belong to a new record can't be found once the new record is in the trash.
  if (way === 'undo' && types.some((type) => type.created && type.record_type === act.record_type))
    names.push(names.shift()!)
  let turned = 0
  let all = 0
  const skipped: string[] = []
  await sql`savepoint turn`.execute(db)
  for (const name of names) {
    const of = await undoOrRedoRecords(writing, kinds.get(name), id, way)
    all += of.turned
    if (name === act.record_type) turned = of.turned
    skipped.push(...of.skipped)
  }
  if (hasParts) {
    if (skipped.length) throw conflict(`${skipped[0]}.`)
    await undoOrRedoParts(writing, kinds.get, await referenceOf(db, id), way)
  }
  // If nothing could be restored, leave the operation as it is, so that it can be attempted again.
  if (all > 0 || hasParts || !skipped.length)
    await setState(db, id, way === 'undo' ? 'undone' : 'done', viewer.id)
  else await sql`rollback to savepoint turn`.execute(db)
  return {
    turned: hasParts ? 1 : turned,
    skipped: skipped.slice(0, 100),
    operation: await referenceOf(db, id),
  }
}

/** Sets an operation's state; `undone_by` and `undone_at` remain set until the redo is complete. */
export async function setState(
  db: Db,
  id: number,
  state: (typeof operationStates)[number],
  staff_id: number,
): Promise<void> {
  const isTurned = state === 'undoing' || state === 'undone' || state === 'redoing'
  await sql`update operations set state = ${state}, undone_at = ${isTurned ? sql`now()` : null}, undone_by = ${isTurned ? staff_id : null} where id = ${id}`.execute(
    db,
  )
}

async function getOperation(db: Db, id: number): Promise<Operation> {
  const { rows } = await sql<Operation>`select ${columns} from operations o where o.id = ${id}`.execute(db)
  return rows[0]!
}

/** Undoes or redoes an operation on the records of one type. */
async function undoOrRedoRecords(
  writing: Writing,
  kind: RecordKind,
  id: number,
  way: UndoDirection,
): Promise<Pick<UndoResult, 'turned' | 'skipped'>> {
  const { db, viewer, record, changed } = writing
  const turns = await findTurns(writing, kind, id, way)
  const now = new Date().toISOString()
  const patches = turns
    .filter(({ unchanged }) => unchanged)
    .map((turn) => ({ id: turn.record_id, patch: patchOf(turn, way, viewer.id, now), was: turn }))
  await assertAuthorized(writing, kind, patches)
  const left = await productsBefore(db, kind, patches)
  const refused = await writeWhatFits(db, kind, patches, viewer.id)
  const done = patches.filter((one) => !refused.has(one.id))
  const ids = done.map((one) => one.id)
  if (way === 'undo')
    await sql`update record_changes c set undo = case when c.record_id = any(${ids}::int[]) then 'undone' else 'skipped' end,
      version_undone = (select t.version + 1 from jsonb_to_recordset(${JSON.stringify(done.map((one) => ({ id: one.id, version: one.was.version })))}::jsonb) as t(id int, version int) where t.id = c.record_id)
      where c.operation_id = ${id} and c.record_type = ${kind.type}`.execute(db)
  else {
    // The record is back in the state it was in before a later operation that was undone, so that operation
    // can be redone too.
    await sql`update record_changes c set version_undone = t.version + 1
      from jsonb_to_recordset(${JSON.stringify(done.map((one) => ({ id: one.id, version: one.was.version })))}::jsonb) as t(id int, version int),
        record_changes own where own.operation_id = ${id} and own.record_type = ${kind.type} and own.record_id = t.id and c.record_type = own.record_type and c.record_id = t.id
        and c.operation_id <> ${id} and c.undo = 'undone' and c.version_undone = own.version_after`.execute(
      db,
    )
    await sql`update record_changes c set undo = null, version_undone = null, version_before = t.version, version_after = t.version + 1
      from jsonb_to_recordset(${JSON.stringify(done.map((one) => ({ id: one.id, version: one.was.version })))}::jsonb) as t(id int, version int)
      where c.operation_id = ${id} and c.record_type = ${kind.type} and c.record_id = t.id`.execute(db)
  }
  // The record is back in the state in which an earlier operation left it, so that operation can still be
  // undone too.
  if (way === 'undo')
    await sql`update record_changes c set version_after = t.version + 1
      from jsonb_to_recordset(${JSON.stringify(done.map((one) => ({ id: one.id, version: one.was.version })))}::jsonb) as t(id int, version int),
        record_changes own where own.operation_id = ${id} and own.record_type = ${kind.type} and own.record_id = t.id and c.record_type = own.record_type and c.record_id = t.id
        and c.operation_id <> ${id} and c.version_after = own.version_before and c.undo is null`.execute(db)
  for (const { id: record_id, patch, was } of done) {
    const from = way === 'undo' ? was.after : (was.before ?? { deleted_at: now })
    await kind.afterUndoOrRedo?.(writing, record_id, { from, to: patch, way })
    for (const column of kind.richText ?? []) {
      const text = patch[column]
      if (typeof text === 'string')
        await putBackImages(writing, { type: kind.type, id: record_id }, imagesIn(text))
    }
    const [before, after] = await nameFiles(db, kind, [from, patch])
    record({
      target: kind.type,
      id: record_id,
      before: audited(kind, before!),
      after: audited(kind, after!),
    })
  }
  if (ids.length) changed(liveName(kind), ids, left)
  const skipped = [
    ...turns.filter(({ unchanged }) => !unchanged).map(({ name }) => `${name}: changed since then`),
    ...turns.flatMap(({ record_id, name }) =>
      refused.has(record_id) ? [`${name}: ${refused.get(record_id)}`] : [],
    ),
  ]
  return { turned: ids.length, skipped }
}

/** Runs the record kind's own authorization for each record, as the operation itself does. */
async function assertAuthorized(
  { db, viewer }: Writing,
  kind: RecordKind,
  patches: readonly { id: number; patch: Row }[],
): Promise<void> {
  if (!kind.authorize) return
  const ids = patches.map(({ id }) => id)
  const patchOfId = new Map(patches.map(({ id, patch }) => [id, patch]))
  for (const trashed of [false, true])
    for (const row of await findRecords(db, kind, ids, viewer, { trashed })) {
      const patch = patchOfId.get(row.id)!
      kind.authorize('deleted_at' in patch ? 'remove' : 'change', row, viewer, patch)
    }
}

/** Locks the records of one type that an operation changed. */
async function lockChanged(db: Db, kind: RecordKind, id: number): Promise<void> {
  const own = sql.ref(`r.${kind.id ?? 'id'}`)
  await lockKind(db, kind)
  await sql`select from ${sql.table(kind.table)} r where ${own} in (select c.record_id from record_changes c
    where c.operation_id = ${id} and c.record_type = ${kind.type}) order by ${own} for update`.execute(db)
}

async function findTurns(
  { db, viewer }: Writing,
  kind: RecordKind,
  id: number,
  way: UndoDirection,
): Promise<RevertibleChange[]> {
  const own = sql.ref(`r.${kind.id ?? 'id'}`)
  await lockKind(db, kind)
  const { rows } =
    await sql<RevertibleChange>`select c.record_id, c.before, c.after, r.version, r.deleted_at is not null as in_trash, ${sql.raw(kind.name)} as name,
      r.version = ${sql.raw(way === 'undo' ? 'c.version_after' : 'c.version_undone')} as unchanged
    from record_changes c join ${sql.table(kind.table)} r on ${own} = c.record_id
    where c.operation_id = ${id} and c.record_type = ${kind.type} and ${sql.raw(way === 'undo' ? 'c.undo is null' : `c.undo = 'undone'`)} and ${kind.scope ? kind.scope(viewer) : sql`true`}
    order by c.record_id for update of r`.execute(db)
  return rows
}

/**
 * Returns the patch that undoes or redoes a change. A record that the operation created is moved to the trash
 * or restored from it.
 */
function patchOf(
  { before, after }: RevertibleChange,
  way: UndoDirection,
  staff_id: number,
  now: string,
): Row {
  if (way === 'redo') return before === null ? { deleted_at: null, deleted_by: null } : after
  return before ?? { deleted_at: now, deleted_by: staff_id }
}
