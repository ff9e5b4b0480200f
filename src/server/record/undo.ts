import { sql } from 'kysely'
import { batchSize, undoRefusalReason, type UndoDirection } from '#shared/operations.ts'
import type { SkippedRecord } from '#shared/record.contract.ts'
import { recordTypes } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, HttpError, notAllowed } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { nameOfEndpoint } from '#shared/endpoint.ts'
import { imagesIn } from '#server/html/html-clean.ts'
import { putBackImages } from '#server/files/record-files.ts'
import { nameFiles } from '#server/record/file-fields.ts'
import {
  getOperation,
  lockOperation,
  referenceOf,
  setState,
  type AccessOf,
} from '#server/record/operations.ts'
import { hasPartChanges, undoOrRedoParts } from '#server/record/parts.ts'
import {
  clearSkipped,
  countSkippedNow,
  explainNothingUndone,
  findSkipped,
  isSkippedChange,
} from '#server/record/reversible.ts'
import {
  audited,
  findRecords,
  idOf,
  liveName,
  lockKind,
  productsBefore,
  scopeOf,
  type ContinuableWriting,
  type LockedOperation,
  type RecordKind,
  type Row,
  type UndoResult,
  type UndoWriting,
  type Writing,
} from '#server/record/rows.ts'
import { writeWhatFits } from '#server/record/write.ts'

/* Undo and redo of operations: docs/product.md#undo. */

/** Number of sentences about single records that a message has. */
const mostSaid = 3

/** Queue of operations that continue in the background. */
export const operationQueue = 'operation'

/** The registered record kinds, and the access rules and actions of the endpoints, by their names. */
export interface Engine {
  kinds: { get: (type: string) => RecordKind; all: () => RecordKind[] }
  accessOf: AccessOf
  actOf: (endpoint: string) => string
}

/** Returns what undo, redo, and background work need to know about all features. */
export function engineOf({ records, implemented }: Pick<App, 'records' | 'implemented'>): Engine {
  const find = (name: string) =>
    implemented.find(({ endpoint }) => nameOfEndpoint(endpoint) === name)?.endpoint
  return { kinds: records, accessOf: (name) => find(name)?.access, actOf: (name) => find(name)?.act ?? '' }
}

interface Skipped {
  data: (SkippedRecord & { kind: RecordKind })[]
  total: number
  blocked: number
}

/**
 * Undoes (`undo`) or redoes (`redo`) an operation on the records that have not changed since; all other
 * records are skipped, and can be undone later, once they are as the operation left them again. More than 500
 * records are continued in the background. This is a change like any other: it increments versions and appears
 * in the history.
 */
export async function undoOrRedo(
  writing: ContinuableWriting,
  engine: Engine,
  id: number,
  way: UndoDirection,
): Promise<UndoResult> {
  const { db, viewer, changed } = writing
  const { kinds, accessOf } = engine
  const act = await lockOperation(db, id, viewer, kinds.all(), accessOf)
  const kind = kinds.get(act.record_type)
  const { names, count, isCreation } = await findTypes(db, act)
  const why = undoRefusalReason(act, way, await countSkippedNow(db, names.map(kinds.get), act))
  if (why) throw conflict(why, await getOperation(db, id))
  if (way === 'undo') for (const name of names) await assertAllInScope(writing, kinds.get(name), id)
  if (kind.live?.operations) changed(kind.live.operations, [id])
  const hasParts = await hasPartChanges(db, id)
  if (count > batchSize && !hasParts) return continueInBackground(writing, kind, act, way)
  await sql`set local statement_timeout = '30s'`.execute(db)
  // Other requests lock a lead before its onboarding, so the rows are locked in this order even though the
  // operation's own type is undone first.
  if (names.length > 1) for (const name of names.toSorted()) await lockChanged(db, kinds.get(name), id)
  // Records that belong to a new record can't be found once the new record is in the trash.
  if (way === 'undo' && isCreation) names.push(names.shift()!)
  await sql`savepoint turn`.execute(db)
  await clearSkipped(db, act)
  const said: string[] = []
  const say = (sentence: string) => void said.push(` ${sentence}`)
  let turned = 0
  let all = 0
  let skips = 0
  for (const name of names) {
    // Some records are in scope only once the records that they belong to have returned from the trash.
    if (way === 'redo') await assertAllInScope(writing, kinds.get(name), id)
    const done = await undoOrRedoType({ ...writing, say }, kinds.get(name), { id, way })
    all += done.turned
    skips += done.skipped
    if (name === act.record_type) turned = done.turned
  }
  const skipped = skips ? await findAllSkipped(writing, engine, names, id) : nothingSkipped
  if (hasParts) {
    if (skipped.total) throw conflict(`${nameSkipped(skipped)[0]}.`)
    await undoOrRedoParts(writing, kinds.get, await referenceOf(db, id), way)
  }
  // If nothing could be restored, leave the operation as it is, so that it can be attempted again.
  const isDone = all > 0 || hasParts || !skipped.total
  if (isDone) await setState(db, id, way === 'undo' ? 'undone' : 'done', viewer.id)
  else await sql`rollback to savepoint turn`.execute(db)
  const operation = await referenceOf(db, id)
  const result = { turned: hasParts ? 1 : turned, skipped: nameSkipped(skipped), operation }
  const nothing = !isDone && way === 'undo' ? await explainNothingUndone(db, kind, act, skipped) : undefined
  const described = isDone && !skipped.total ? await kind.undo?.describe?.(db, id, way) : undefined
  const message = nothing ?? described ?? messageOf(hasParts ? undefined : kind, way, result, skipped)
  return { ...result, message: message + said.slice(0, mostSaid).join('') }
}

const nothingSkipped: Skipped = { data: [], total: 0, blocked: 0 }

async function findAllSkipped(
  { db, viewer }: Writing,
  { kinds }: Engine,
  names: readonly string[],
  id: number,
): Promise<Skipped> {
  const all: Skipped = { data: [], total: 0, blocked: 0 }
  for (const kind of names.map(kinds.get)) {
    const { data, total, blocked } = await findSkipped(db, kind, { id, state: 'undone' }, viewer)
    all.data.push(...data.map((one) => ({ ...one, kind })))
    all.total += total
    all.blocked += blocked
  }
  return all
}

const nameSkipped = ({ data }: Skipped) =>
  data
    .slice(0, 100)
    .map(({ kind, ...one }) => kind.undo?.skipped?.(one) ?? `${one.name}: ${one.why ?? 'changed since then'}`)

function messageOf(
  kind: RecordKind | undefined,
  way: UndoDirection,
  { turned, operation, skipped }: Omit<UndoResult, 'message'>,
  { total, blocked }: Skipped,
): string {
  const own = kind?.undo?.message?.(way, { turned, since: total - blocked, blocked })
  if (own !== undefined) return own
  const more = skipped.length > 3 ? ` and ${skipped.length - 3} more` : ''
  const left = skipped.length ? ` Not changed: ${skipped.slice(0, 3).join(', ')}${more}.` : ''
  return `${way === 'undo' ? 'Undone' : 'Redone'}: ${operation.summary}.${left}`
}

/**
 * Returns the types of the records that an operation changed, its own type first and the others in the order
 * of their names, the number of these records, and whether it created records of its own type.
 */
export async function findTypes(
  db: Db,
  { id, record_type }: Pick<LockedOperation, 'id' | 'record_type'>,
): Promise<{ names: string[]; count: number; isCreation: boolean }> {
  const { rows } = await sql<{
    name: string
    count: number
    created: boolean
  }>`select record_type as name, count(*) as count, bool_or(before is null) as created
    from record_changes where operation_id = ${id} group by 1 order by 1`.execute(db)
  return {
    names: [...new Set([record_type, ...rows.map(({ name }) => name)])],
    count: rows.reduce((sum, { count }) => sum + count, 0),
    isCreation: rows.some(({ name, created }) => created && name === record_type),
  }
}

/** Returns whether the viewer can see all records of a type that an operation changed. */
export async function areAllInScope(
  { db, viewer }: Pick<Writing, 'db' | 'viewer'>,
  kind: RecordKind,
  id: number,
): Promise<boolean> {
  if (!kind.visibility?.scope) return true
  const { rows } = await sql`select from record_changes c
    join ${sql.table(kind.table)} r on ${sql.ref(`r.${idOf(kind)}`)} = c.record_id
    where c.operation_id = ${id} and c.record_type = ${kind.type} and (${scopeOf(kind, viewer)}) is not true limit 1`.execute(
    db,
  )
  return !rows.length
}

/** @throws HttpError 403 if an operation changed records of a type that the viewer can't see. */
async function assertAllInScope(writing: Writing, kind: RecordKind, id: number): Promise<void> {
  if (await areAllInScope(writing, kind, id)) return
  const what = `${recordTypes[kind.type].many}${kind.visibility?.products ? ' for a product' : ''}`
  throw notAllowed(`You can’t do this because it affects ${what} you don’t have access to.`)
}

async function continueInBackground(
  writing: ContinuableWriting,
  kind: RecordKind,
  act: LockedOperation,
  way: UndoDirection,
): Promise<UndoResult> {
  const { id, state } = act
  const { db, viewer, audit, enqueue } = writing
  await assertAllInScope(writing, kind, id)
  const operation = await referenceOf(db, id)
  const skipped = way === 'undo' ? await findSkipped(db, kind, { id, state }, viewer) : nothingSkipped
  const message = skipped.total ? await explainNothingUndone(db, kind, act, skipped) : undefined
  if (message !== undefined) {
    const data = skipped.data.map((one) => ({ ...one, kind }))
    return { turned: 0, skipped: nameSkipped({ ...skipped, data }), operation, message }
  }
  await clearSkipped(db, act)
  const going = way === 'undo' ? 'undoing' : 'redoing'
  await setState(db, id, going, viewer.id)
  await enqueue(operationQueue, { id })
  audit({ target: `${kind.type}-operation`, id, before: { state }, after: { state: going } })
  const words = way === 'undo' ? 'undone' : 'redone'
  return {
    turned: 0,
    skipped: [],
    operation: { ...operation, running: true },
    message: `This is being ${words} in the background. You can leave this page.`,
  }
}

/** Locks the records of one type that an operation changed. */
async function lockChanged(db: Db, kind: RecordKind, id: number): Promise<void> {
  const own = sql.ref(`r.${idOf(kind)}`)
  await lockForUndo(db, kind)
  await sql`select from ${sql.table(kind.table)} r where ${own} in (select c.record_id from record_changes c
    where c.operation_id = ${id} and c.record_type = ${kind.type}) order by ${own} for update`.execute(db)
}

async function lockForUndo(db: Db, kind: RecordKind): Promise<void> {
  if (kind.undo?.sharedLock !== undefined)
    await sql`select pg_advisory_xact_lock_shared(hashtext(${kind.undo.sharedLock}))`.execute(db)
  await lockKind(db, kind)
}

interface RevertibleChange {
  record_id: number
  before: Row | null
  after: Row
  version: number
  version_before: number
  unchanged: boolean
  why: string | null
}

interface Turn {
  id: number
  way: UndoDirection
  /** Skips records that the viewer is not allowed to change, instead of throwing (403). */
  skipsRefused?: boolean
}

/**
 * Undoes or redoes an operation for its next records of one type, up to `batchSize`; returns undefined if
 * none are left.
 */
export async function undoOrRedoBatch(
  writing: UndoWriting,
  kind: RecordKind,
  turn: Turn,
): Promise<{ turned: number; skipped: number } | undefined> {
  const { db, viewer, changed } = writing
  const { way } = turn
  const changes = await lockNextChanges(db, kind, turn)
  if (!changes.length) return undefined
  const now = new Date().toISOString()
  const wanted = changes
    .filter(({ unchanged, why }) => unchanged && why === null)
    .map((change) => ({ id: change.record_id, patch: patchOf(change, way, viewer.id, now), was: change }))
  const blocked = await findRefused(writing, kind, turn, wanted)
  const patches = wanted.filter((one) => !blocked.has(one.id))
  const left = await productsBefore(db, kind, patches)
  // Records that return from the trash are written last, because others might still use their keys until then.
  const returns = ({ patch }: { patch: Row }) => patch['deleted_at'] === null
  for (const some of [patches.filter((one) => !returns(one)), patches.filter(returns)])
    for (const [record_id, why] of await writeWhatFits(db, kind, some, viewer.id)) blocked.set(record_id, why)
  const done = patches.filter((one) => !blocked.has(one.id))
  const ids = done.map((one) => one.id)
  const isDone = new Set(ids)
  await storeOutcomes(
    db,
    kind,
    turn,
    changes.map(({ record_id, unchanged, why, version, version_before }) => ({
      id: record_id,
      turned: isDone.has(record_id),
      why: unchanged ? (blocked.get(record_id) ?? why) : null,
      version,
      version_before,
    })),
  )
  await reportTurned(writing, kind, way, done, now)
  if (ids.length) changed(liveName(kind), ids, left)
  return { turned: ids.length, skipped: changes.length - ids.length }
}

/** Undoes or redoes an operation for all its records of one type. */
async function undoOrRedoType(
  writing: UndoWriting,
  kind: RecordKind,
  turn: Turn,
): Promise<{ turned: number; skipped: number }> {
  const all = { turned: 0, skipped: 0 }
  for (;;) {
    const done = await undoOrRedoBatch(writing, kind, turn)
    all.turned += done?.turned ?? 0
    all.skipped += done?.skipped ?? 0
    if (!done || done.turned + done.skipped < batchSize) return all
  }
}

async function lockNextChanges(db: Db, kind: RecordKind, { id, way }: Turn): Promise<RevertibleChange[]> {
  await lockForUndo(db, kind)
  const then = sql.raw(way === 'undo' ? 'c.version_after' : 'c.version_undone')
  const next = sql.raw(way === 'undo' ? 'c.undo is null' : `c.undo = 'undone'`)
  const why = kind.undo?.blockedReason?.(way) ?? sql`null`
  const { rows } =
    await sql<RevertibleChange>`select c.record_id, c.before, c.after, r.version, c.version_before,
      r.version is not distinct from ${then} as unchanged, ${why} as why
    from record_changes c join ${sql.table(kind.table)} r on ${sql.ref(`r.${idOf(kind)}`)} = c.record_id
    where c.operation_id = ${id} and c.record_type = ${kind.type} and ${next}
    order by c.record_id limit ${batchSize} for update of r`.execute(db)
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

type Patches = readonly { id: number; patch: Row; was: RevertibleChange }[]

/** Runs the record kind's own authorization for each record, as the operation itself does. */
async function findRefused(
  { db, viewer }: Writing,
  kind: RecordKind,
  { skipsRefused }: Turn,
  patches: Patches,
): Promise<Map<number, string>> {
  const refused = new Map<number, string>()
  if (!kind.authorize) return refused
  const patchOfId = new Map(patches.map(({ id, patch }) => [id, patch]))
  for (const trashed of [false, true])
    for (const row of await findRecords(db, kind, [...patchOfId.keys()], viewer, { trashed })) {
      const patch = patchOfId.get(row.id)!
      try {
        kind.authorize('deleted_at' in patch ? 'remove' : 'change', row, viewer, patch)
      } catch (error) {
        if (!skipsRefused || !(error instanceof HttpError)) throw error
        refused.set(row.id, error.message)
      }
    }
  return refused
}

interface Outcome {
  id: number
  turned: boolean
  why: string | null
  version: number
  version_before: number
}

async function storeOutcomes(
  db: Db,
  kind: RecordKind,
  { id, way }: Turn,
  outcomes: readonly Outcome[],
): Promise<void> {
  const those = sql`jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
    as o(id int, turned boolean, why text, version int, version_before int)`
  const ofRecord = sql`c.record_type = ${kind.type} and c.record_id = o.id`
  const own = sql`c.operation_id = ${id} and ${ofRecord}`
  const ofOther = sql`o.turned and ${ofRecord} and c.operation_id <> ${id}`
  if (way === 'redo') {
    // The record is back in the state it was in before a later operation that was undone, so that operation
    // can be redone too.
    await sql`update record_changes c set version_undone = o.version + 1 from ${those}
      join record_changes own on own.operation_id = ${id} and own.record_type = ${kind.type} and own.record_id = o.id
      where ${ofOther} and c.undo = 'undone' and c.version_undone = own.version_after`.execute(db)
    // A record skipped now keeps its state, no matter what happens to the operation.
    await sql`update record_changes c set undo = case when o.turned then null else 'skipped' end, undo_why = o.why, version_undone = null,
        version_before = case when o.turned then o.version else c.version_before end,
        version_after = case when o.turned then o.version + 1 else c.version_after end
      from ${those} where ${own}`.execute(db)
    return
  }
  await sql`update record_changes c set undo = case when o.turned then 'undone' else 'skipped' end, undo_why = o.why,
      version_undone = case when o.turned then o.version + 1 end
    from ${those} where ${own}`.execute(db)
  // The record is back in the state in which an earlier operation left it, so that operation can still be
  // undone too, even if its own undo skipped the record before.
  await sql`update record_changes c set version_after = o.version + 1 from ${those}
    where ${ofOther} and c.version_after = o.version_before and (c.undo is null or ${isSkippedChange})`.execute(
    db,
  )
}

/** Calls the record kind's handler, restores images, and audits each record that was undone or redone. */
async function reportTurned(
  writing: UndoWriting,
  kind: RecordKind,
  way: UndoDirection,
  done: Patches,
  now: string,
): Promise<void> {
  const froms = done.map(({ was }) => (way === 'undo' ? was.after : (was.before ?? { deleted_at: now })))
  for (const [at, { id, patch }] of done.entries()) {
    await kind.undo?.after?.(writing, id, { from: froms[at]!, to: patch, way })
    for (const column of kind.richText ?? []) {
      const text = patch[column]
      if (typeof text === 'string') await putBackImages(writing, { type: kind.type, id }, imagesIn(text))
    }
  }
  const shown = done.map(({ was }, at) =>
    way === 'undo' && was.before === null ? { deleted_at: null } : froms[at]!,
  )
  const before = await nameFiles(writing.db, kind, shown)
  const after = await nameFiles(
    writing.db,
    kind,
    done.map(({ patch }) => patch),
  )
  for (const [at, { id }] of done.entries())
    writing.audit({
      target: kind.type,
      id,
      before: audited(kind, before[at]!),
      after: audited(kind, after[at]!),
    })
}
