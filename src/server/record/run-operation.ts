import { sql, type Transaction } from 'kysely'
import { batchSize, type StopReason, type UndoDirection } from '#shared/operations.ts'
import { records } from '#shared/record.contract.ts'
import type { LiveName } from '#shared/records.ts'
import type { Database, Db } from '#server/db/db.ts'
import { writeAudit, type Change } from '#server/http/audit.ts'
import { findViewer } from '#server/http/session.ts'
import { inBatches } from '#server/jobs/in-batches.ts'
import {
  isOperationAllowed,
  setState,
  storedColumns,
  storeSkipped,
  type StoredOperation,
} from '#server/record/operations.ts'
import { applyChanges } from '#server/record/record.ts'
import type { AfterBulk, BulkChange, UndoWriting } from '#server/record/rows.ts'
import { areAllInScope, findTypes, type Engine } from '#server/record/undo.ts'
import { undoOrRedoBatch } from '#server/record/undo-batch.ts'
import { lockSelected, patchFor, skippedOf, withoutRefused } from '#server/record/batches.ts'

/* Continues the operations that were too large for the transaction of their request. */

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

type BatchWriting = Parameters<AfterBulk>[0]

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
  work: (writing: BatchWriting) => Promise<boolean>,
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
async function processChangeBatch(writing: BatchWriting, engine: Engine, held: Held): Promise<boolean> {
  const { db, viewer } = writing
  const { id, next, change } = held
  if (!next.length) {
    await db.updateTable('operations').set({ state: 'done' }).where('id', '=', id).execute()
    const ids = await findChanged(db, held)
    if (ids.length)
      await engine.kinds.afterBulk(held.record_type)?.(writing, { operation_id: id, change: change!, ids })
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

/** Returns the IDs of the records of its own type that an operation changed. */
async function findChanged(db: Db, { id, record_type }: Held): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select record_id as id from record_changes
    where operation_id = ${id} and record_type = ${record_type} order by record_id`.execute(db)
  return rows.map((row) => row.id)
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
