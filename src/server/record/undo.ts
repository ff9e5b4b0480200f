import { sql } from 'kysely'
import { batchSize, undoRefusalReason, type UndoDirection } from '#shared/operations.ts'
import type { SkippedRecord } from '#shared/record.contract.ts'
import { recordTypes } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, notAllowed } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { nameOfEndpoint } from '#shared/endpoint.ts'
import {
  getOperation,
  lockOperation,
  referenceOf,
  setState,
  type AccessOf,
} from '#server/record/operations.ts'
import type { RecordKinds } from '#server/record/kinds.ts'
import { hasPartChanges, undoOrRedoParts } from '#server/record/parts.ts'
import {
  clearSkipped,
  countSkippedNow,
  explainNothingUndone,
  findSkipped,
} from '#server/record/reversible.ts'
import {
  idOf,
  scopeOf,
  type ContinuableWriting,
  type LockedOperation,
  type RecordKind,
  type UndoResult,
  type Writing,
} from '#server/record/rows.ts'
import { lockForUndo, undoOrRedoType } from '#server/record/undo-batch.ts'

/* Undo and redo of operations: docs/product.md#undo. */

/** Number of sentences about single records that a message has. */
const mostSaid = 3

/** Queue of operations that continue in the background. */
export const operationQueue = 'operation'

/** The registered record kinds, and the access rules and actions of the endpoints, by their names. */
export interface Engine {
  kinds: Pick<RecordKinds, 'get' | 'all' | 'afterBulk'>
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
  let [turned, created] = [0, 0]
  let all = 0
  let skips = 0
  for (const name of names) {
    // Some records are in scope only once the records that they belong to have returned from the trash.
    if (way === 'redo') await assertAllInScope(writing, kinds.get(name), id)
    const done = await undoOrRedoType({ ...writing, say }, kinds.get(name), { id, way })
    all += done.turned
    skips += done.skipped
    if (name === act.record_type) ({ turned, created } = done)
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
  const message =
    nothing ?? described ?? messageOf(hasParts ? undefined : kind, way, { ...result, created }, skipped)
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
  { turned, created, operation, skipped }: Omit<UndoResult, 'message'> & { created: number },
  { total, blocked }: Skipped,
): string {
  const own = kind?.undo?.message?.(way, { turned, created, since: total - blocked, blocked })
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
