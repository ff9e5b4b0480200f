import { sql, type Transaction } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { batchSize, type StopReason, type UndoDirection } from '#shared/operations.ts'
import { records, type OperationRef } from '#shared/record.contract.ts'
import { counted, type LiveName } from '#shared/records.ts'
import type { Database, Db } from '#server/db/db.ts'
import { writeAudit, type Change } from '#server/http/audit.ts'
import { conflict, HttpError, notFound } from '#server/http/errors.ts'
import { findViewer } from '#server/http/session.ts'
import { inBatches } from '#server/jobs/in-batches.ts'
import {
  beginOperation,
  isOperationAllowed,
  setState,
  storedColumns,
  storeSkipped,
  type StoredOperation,
} from '#server/record/operations.ts'
import { applyChanges, nameOfType } from '#server/record/record.ts'
import {
  findRecords,
  idOf,
  scopeOf,
  type BulkChange,
  type ContinuableWriting,
  type RecordKind,
  type Row,
  type StoredRecord,
  type UndoWriting,
  type Writing,
} from '#server/record/rows.ts'
import {
  areAllInScope,
  findTypes,
  operationQueue,
  undoOrRedoBatch,
  type Engine,
} from '#server/record/undo.ts'

/*
 * Changes to records that a user has selected. Up to 500 are changed in the transaction of the request; more
 * are continued by a job, 500 at a time, as the same operation.
 */

/** Sets these values, unless the record already has the values in `unless`. */
interface SetChange extends BulkChange {
  kind: 'set'
  values: Row
  unless?: Row
}

export const setValues = (values: Row, unless?: Row): SetChange =>
  unless ? { kind: 'set', values, unless } : { kind: 'set', values }

export interface Bulk {
  change: BulkChange
  /** Description of the operation, without the number of records. */
  summary: string
  /** Permission that the operation requires in addition to its endpoint's access. */
  needs?: string
  /** Kind of operation; defaults to the kind of the change. */
  kind?: string
  /** Leaves out records that the viewer is not allowed to change, instead of throwing. */
  leaveOutRefused?: boolean
}

export interface BulkResult {
  changed: number[]
  unchanged: number
  /** Number of records that were found. */
  found: number
  /** States how many records were left out and why, as sentences to append to a message. */
  leftOut: string
  /** IDs of records that a constraint doesn't allow to change, such as a key that is in use now. */
  kept: number[]
  /** Whether the operation continues in the background. */
  running: boolean
  operation: OperationRef | null
}

export const inBackground = 'The change continues in the background. You can leave this page.'

/**
 * Changes the selected records in one operation that can be undone, in the background if there are more than
 * 500. Skips records that don't exist for the viewer and those whose values would not change.
 * @throws HttpError 404 if none of them exists for the viewer, 403 if all of them are rejected, 409 if none
 * fits.
 */
export async function changeInBulk(
  writing: ContinuableWriting,
  kind: RecordKind,
  ids: readonly number[],
  bulk: Bulk,
): Promise<BulkResult> {
  const { db, viewer, changed } = writing
  // Statements on up to 500 records, some of which are checked one by one.
  await sql`set local statement_timeout = '30s'`.execute(db)
  if (ids.length > batchSize) return continueInBackground(writing, kind, ids, bulk)
  const { change, leaveOutRefused = false } = bulk
  const found = await lockSelected(db, kind, ids, viewer, change)
  if (!found.length) throw notFound(`${nameOfType(kind)} not found.`)
  const { rows, refused } = withoutRefused(kind, change, found, viewer)
  if (refused.length && (!leaveOutRefused || !rows.length)) throw refused[0]!.error
  const { changes, operation, ...done } = await applyChanges(
    writing,
    kind,
    rows,
    patchFor(kind, change, viewer.id),
    { kind: bulk.kind ?? change.kind, summary: bulk.summary, needs: bulk.needs, allowPartial: true },
  )
  const kept = [...done.refused.keys()]
  if (kept.length && !changes.length) throw conflict([...done.refused.values()][0]!)
  if (operation) {
    await storeSkipped(db, operation.id, kind, skippedOf(found, refused, done.refused))
    if (kind.live?.operations) changed(kind.live.operations, [operation.id])
  }
  return {
    changed: changes.map(({ id }) => id),
    unchanged: rows.length - changes.length - kept.length,
    found: found.length,
    leftOut: countReasons(refused.map(({ error }) => error.message)),
    kept,
    running: false,
    operation,
  }
}

/**
 * Moves records to the trash in one operation that can be undone; `leftOut` says which records can't be
 * removed, and why.
 * @throws HttpError 404 if the viewer can't access any of them, 403 if none of them can be removed.
 */
export const trashInBulk = (
  writing: ContinuableWriting,
  kind: RecordKind,
  ids: readonly number[],
): Promise<BulkResult> =>
  changeInBulk(writing, kind, ids, {
    change: { kind: 'delete' },
    summary: 'Moved to trash',
    leaveOutRefused: true,
  })

/** Restores records from the trash. A record stays in the trash if its unique name or key is now taken. */
export const restoreInBulk = (
  writing: ContinuableWriting,
  kind: RecordKind,
  ids: readonly number[],
  needs?: string,
): Promise<BulkResult> =>
  changeInBulk(writing, kind, ids, {
    change: { kind: 'restore' },
    summary: 'Restored from the trash',
    ...(needs === undefined ? {} : { needs }),
  })

async function continueInBackground(
  { db, viewer, called, audit, changed, enqueue }: ContinuableWriting,
  kind: RecordKind,
  ids: readonly number[],
  { change, summary, needs, kind: what = change.kind }: Bulk,
): Promise<BulkResult> {
  const todo = [...new Set(ids)].toSorted((a, b) => a - b)
  if (!(await existsAny(db, kind, todo, viewer, change))) throw notFound(`${nameOfType(kind)} not found.`)
  const id = await beginOperation(db, {
    type: kind.type,
    kind: what,
    staff_id: viewer.id,
    summary,
    needs,
    called,
    background: { todo, change },
  })
  await enqueue(operationQueue, { id })
  audit({ target: `${kind.type}-operation`, id, after: { summary, records: todo.length } })
  if (kind.live?.operations) changed(kind.live.operations, [id])
  return {
    changed: [],
    unchanged: 0,
    found: 0,
    leftOut: '',
    kept: [],
    running: true,
    operation: { id, summary: `${summary}: ${counted(kind.type, todo.length)}`, running: true },
  }
}

const isRestore = ({ kind }: BulkChange) => kind === 'restore'

const lockSelected = (db: Db, kind: RecordKind, ids: readonly number[], viewer: Viewer, change: BulkChange) =>
  findRecords(db, kind, ids, viewer, { trashed: isRestore(change), lock: true })

async function existsAny(
  db: Db,
  kind: RecordKind,
  ids: readonly number[],
  viewer: Viewer,
  change: BulkChange,
): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(kind.table)} r
    where ${sql.ref(`r.${idOf(kind)}`)} = any(${ids}::int[]) and ${scopeOf(kind, viewer)}
      and r.deleted_at is ${sql.raw(isRestore(change) ? 'not null' : 'null')} limit 1`.execute(db)
  return rows.length > 0
}

/** Returns the function that determines what a change sets on a record. */
function patchFor(kind: RecordKind, change: BulkChange, staff_id: number): (row: StoredRecord) => Row {
  const now = new Date().toISOString()
  switch (change.kind) {
    case 'delete':
      return () => ({ deleted_at: now, deleted_by: staff_id })
    case 'restore':
      return () => ({ deleted_at: null, deleted_by: null, ...kind.trash?.restored })
    case 'set': {
      const { values, unless } = change as SetChange
      const has = (row: Row) =>
        unless !== undefined && Object.entries(unless).every(([name, value]) => row[name] === value)
      return (row) => (has(row) ? {} : values)
    }
    default:
      return (row) => kind.bulk!.patchOf(change, row, { staff_id, now })
  }
}

interface Refused {
  row: StoredRecord
  error: HttpError
}

/** Separates the records that the viewer is not allowed to change. */
function withoutRefused(
  kind: RecordKind,
  change: BulkChange,
  found: readonly StoredRecord[],
  viewer: Viewer,
): { rows: StoredRecord[]; refused: Refused[] } {
  const refused: Refused[] = []
  const rows = found.filter((row) => {
    try {
      kind.authorize?.(change.kind === 'delete' || isRestore(change) ? 'remove' : 'change', row, viewer)
      return true
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 403) throw error
      refused.push({ row, error })
      return false
    }
  })
  return { rows, refused }
}

const skippedOf = (
  found: readonly StoredRecord[],
  refused: readonly Refused[],
  kept: ReadonlyMap<number, string>,
) => [
  ...refused.map(({ row: { id, version }, error }) => ({ id, version, why: error.message })),
  ...found.flatMap(({ id, version }) => (kept.has(id) ? [{ id, version, why: kept.get(id)! }] : [])),
]

function countReasons(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const why of reasons) counts.set(why, (counts.get(why) ?? 0) + 1)
  return [...counts]
    .map(([why, count]) => ` ${count} ${count === 1 ? 'was' : 'were'} left out: ${why}`)
    .join('')
}

/* ---- In the background ---- */

/** The changes of a batch, for the open pages. */
interface Progress {
  staff_id: number
  finished: boolean
  changed: { type: LiveName; ids: readonly number[]; left: readonly number[] | undefined }[]
  /** To be called after the commit. */
  actions: (() => void)[]
}

/**
 * Processes the rest of an operation in batches; safe to call after a crash, or twice concurrently. A batch
 * that fails is retried. If it keeps failing, the operation stops, and its changes can be undone.
 */
export async function runOperation(
  db: Db,
  engine: Engine,
  id: number,
  tell: (progress: Progress) => void,
): Promise<void> {
  await inBatches(() => db.transaction().execute((tx) => processOperationBatch(tx, engine, id)), {
    tell,
    giveUp: () => stopOperation(db, id, 'error'),
  })
}

/** Stops operations whose job is gone, as after a restore. Their changes stay and can be undone. */
export async function stopUnfinishedOperations(db: Db): Promise<void> {
  const { rows } = await sql<{
    id: number
  }>`select id from operations where state in ('running', 'undoing', 'redoing')`.execute(db)
  for (const { id } of rows) await stopOperation(db, id, 'error')
}

/** Stops an operation that can't continue; the records processed so far stay as they are. */
async function stopOperation(db: Db, id: number, reason: StopReason): Promise<void> {
  await sql`update operations set state = case state when 'undoing' then 'done' when 'redoing' then 'undone' else 'failed' end,
      stop_reason = ${reason}, stopped_by = case state when 'running' then staff_id else undone_by end,
      undone_at = case state when 'redoing' then undone_at end, undone_by = case state when 'redoing' then undone_by end
    where id = ${id} and state in ('running', 'undoing', 'redoing')`.execute(db)
}

interface Held extends StoredOperation {
  change: BulkChange | null
  seen: number
  next: number[]
}

/**
 * Processes the next records of an operation that is running or being undone or redone; returns undefined in
 * any other state.
 */
export async function processOperationBatch(
  db: Transaction<Database>,
  engine: Engine,
  id: number,
): Promise<Progress | undefined> {
  await sql`set local statement_timeout = '30s'`.execute(db)
  const { rows } =
    await sql<Held>`select ${storedColumns}, o.change, o.seen, o.todo[o.seen + 1 : o.seen + ${batchSize}] as next
    from operations o where o.id = ${id} for update`.execute(db)
  const [held] = rows
  if (held?.state === 'undoing' || held?.state === 'redoing') {
    const way = held.state === 'undoing' ? 'undo' : 'redo'
    const { method, path } = records[way]
    return asUser(db, engine, held, { staff_id: held.undone_by!, endpoint: `${method} ${path}` }, (writing) =>
      processUndoBatch(writing, engine, held, way),
    )
  }
  if (held?.state !== 'running' || !held.change) return undefined
  const endpoint = held.endpoint || (engine.kinds.get(held.record_type).bulk?.endpoint ?? '')
  return asUser(db, engine, held, { staff_id: held.staff_id, endpoint }, (writing) =>
    processChangeBatch(writing, engine, held),
  )
}

/**
 * Runs the work for a batch as the user who began it, whose permissions and products may have changed since;
 * stops the operation if the user could no longer perform it.
 */
async function asUser(
  db: Transaction<Database>,
  engine: Engine,
  held: Held,
  { staff_id, endpoint }: { staff_id: number; endpoint: string },
  work: (writing: UndoWriting) => Promise<boolean>,
): Promise<Progress> {
  const viewer = await findViewer(db, staff_id)
  const audit: Change[] = []
  const changed: Progress['changed'] = []
  const actions: Progress['actions'] = []
  if (!viewer || !isOperationAllowed(held, viewer, engine.accessOf)) {
    await stopOperation(db, held.id, viewer ? 'permission' : 'account')
    return { staff_id, finished: true, changed, actions }
  }
  const finished = await work({
    db,
    viewer,
    called: { endpoint, input: held.input },
    audit: (change) => audit.push(change),
    changed: (type, ids, left) => changed.push({ type, ids, left }),
    afterCommit: (action) => actions.push(action),
  })
  const { live } = engine.kinds.get(held.record_type)
  if (live?.operations) changed.push({ type: live.operations, ids: [held.id], left: undefined })
  if (audit.length)
    await writeAudit(
      db,
      { staff_id, endpoint, act: engine.actOf(endpoint), address: '', request_id: `operation ${held.id}` },
      audit,
    )
  return { staff_id, finished, changed, actions }
}

/** Changes the next records of a running operation; returns whether it is finished. */
async function processChangeBatch(writing: Writing, engine: Engine, held: Held): Promise<boolean> {
  const { db, viewer } = writing
  const { id, next, change } = held
  if (!next.length) {
    await db.updateTable('operations').set({ state: 'done' }).where('id', '=', id).execute()
    return true
  }
  const kind = engine.kinds.get(held.record_type)
  const found = await lockSelected(db, kind, next, viewer, change!)
  const { rows, refused } = withoutRefused(kind, change!, found, viewer)
  const done = await applyChanges(writing, kind, rows, patchFor(kind, change!, viewer.id), {
    kind: held.kind,
    summary: '',
    within: id,
    allowPartial: true,
  })
  await storeSkipped(db, id, kind, skippedOf(found, refused, done.refused))
  await sql`update operations set seen = seen + ${next.length} where id = ${id}`.execute(db)
  return false
}

/** Undoes or redoes an operation for its next records; returns whether it is finished. */
async function processUndoBatch(
  writing: UndoWriting,
  { kinds }: Engine,
  held: Held,
  way: UndoDirection,
): Promise<boolean> {
  const { db, viewer } = writing
  for (const kind of (await findTypes(db, held)).names.map(kinds.get)) {
    if (!(await areAllInScope(writing, kind, held.id))) {
      await stopOperation(db, held.id, 'product')
      return true
    }
    if (await undoOrRedoBatch(writing, kind, { id: held.id, way, skipsRefused: true })) return false
  }
  await setState(db, held.id, way === 'undo' ? 'undone' : 'done', viewer.id)
  return true
}
