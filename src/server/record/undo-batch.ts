import { sql } from 'kysely'
import { batchSize, type UndoDirection } from '#shared/operations.ts'
import type { Db } from '#server/db/db.ts'
import { HttpError } from '#server/http/errors.ts'
import { imagesIn } from '#server/html/html-clean.ts'
import { putBackImages } from '#server/files/record-files.ts'
import { nameFiles } from '#server/record/file-fields.ts'
import { blockedReason, isSkippedChange } from '#server/record/reversible.ts'
import {
  findRecords,
  idOf,
  liveName,
  lockKind,
  productsBefore,
  type RecordKind,
  type Row,
  type UndoWriting,
  type Writing,
} from '#server/record/rows.ts'
import { audited } from '#server/record/values.ts'
import { writeWhatFits } from '#server/record/write.ts'

/* Undoes and redoes an operation for up to 500 of its records of one type. */

/** Takes the locks of a record kind that an undo or redo needs, before rows are locked. */
export async function lockForUndo(db: Db, kind: RecordKind): Promise<void> {
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

/** Numbers of records that were undone or redone, of those that the operation had created, and of those that were skipped. */
export interface Turned {
  turned: number
  created: number
  skipped: number
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
): Promise<Turned | undefined> {
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
  const created = done.filter(({ was }) => was.before === null).length
  return { turned: ids.length, created, skipped: changes.length - ids.length }
}

/** Undoes or redoes an operation for all its records of one type. */
export async function undoOrRedoType(writing: UndoWriting, kind: RecordKind, turn: Turn): Promise<Turned> {
  const all = { turned: 0, created: 0, skipped: 0 }
  for (;;) {
    const done = await undoOrRedoBatch(writing, kind, turn)
    all.turned += done?.turned ?? 0
    all.created += done?.created ?? 0
    all.skipped += done?.skipped ?? 0
    if (!done || done.turned + done.skipped < batchSize) return all
  }
}

async function lockNextChanges(db: Db, kind: RecordKind, { id, way }: Turn): Promise<RevertibleChange[]> {
  await lockForUndo(db, kind)
  const then = sql.raw(way === 'undo' ? 'c.version_after' : 'c.version_undone')
  const next = sql.raw(way === 'undo' ? 'c.undo is null' : `c.undo = 'undone'`)
  const why = blockedReason(kind, way)
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

/** Restores images, audits each record that was undone or redone, and calls the record kind's handler. */
async function reportTurned(
  writing: UndoWriting,
  kind: RecordKind,
  way: UndoDirection,
  done: Patches,
  now: string,
): Promise<void> {
  const froms = done.map(({ was }) => (way === 'undo' ? was.after : (was.before ?? { deleted_at: now })))
  for (const { id, patch } of done) {
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
  // After them, so that what the handler changes is later in the history.
  for (const [at, { id, patch }] of done.entries())
    await kind.undo?.after?.(writing, id, { from: froms[at]!, to: patch, way })
}
