import { sql } from 'kysely'
import { isAdminRole, type Permission } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { UndoDirection } from '#shared/operations.ts'
import type { OperationRef } from '#shared/record.contract.ts'
import type { BulkChange, ChangedSince, Operation } from '#features/crm/leads/operations/contract.ts'
import { rightOf } from '#features/crm/leads/operations/contract.ts'
import { summaryOf, type OperationKind } from '#features/crm/leads/operations/rules.ts'
import { audited, writeLeads, type Patch } from '#features/crm/leads/operations/server/lead-changes.ts'
import {
  keyTaken,
  lockListsShared,
  undoBlockedReason,
} from '#features/crm/leads/operations/server/put-back.ts'
import type { Db } from '#server/db/db.ts'
import type { Change } from '#server/http/audit.ts'
import { notFound } from '#server/http/errors.ts'

export const operationsPerPage = 20
const mostListed = 100

interface Begun {
  kind: OperationKind
  staff_id: number
  /** The operation's description, without the count. */
  summary: string
  /** The leads of an operation that continues in the background, and the change to apply to each. */
  background?: { todo: readonly number[]; change: BulkChange }
  /** Whether the operation keeps running and reports its own completion. */
  running?: boolean
  /** The permission that the operation required, if different from its kind's permission. */
  needs?: Permission
}

/** Begins an operation that can be undone; returns its ID. */
export async function beginOperation(
  db: Db,
  { kind, staff_id, summary, background, running = background !== undefined, needs = rightOf[kind] }: Begun,
): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into operations (kind, staff_id, summary, needs, state, todo, change) values (${kind}, ${staff_id}, ${summary},
    ${needs}, ${running ? 'running' : 'done'}, ${background?.todo ?? []}::int[], ${background ? JSON.stringify(background.change) : null}::jsonb) returning id`.execute(
    db,
  )
  return rows[0]!.id
}

/** Deletes an operation that changed nothing. */
export async function dropOperation(db: Db, id: number): Promise<void> {
  await db.deleteFrom('operations').where('id', '=', id).execute()
}

/** Returns an operation in the form used to refer to it in responses. */
export async function getReference(db: Db, id: number): Promise<OperationRef> {
  const { summary, changed } = await db
    .selectFrom('operations')
    .select(['summary', 'changed'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, summary: summaryOf(summary, changed) }
}

type Found = Omit<Operation, 'summary'> & { summary: string }
const operationColumns =
  sql.raw(`o.id, o.kind, o.at, o.staff_id, o.needs, o.state, o.summary, o.seen, o.changed, o.undone_at,
  greatest(cardinality(o.todo), o.changed) as total,
  (select s.name from staff s where s.id = o.staff_id) as who,
  case when o.undone_at is null then 0
    else (select count(*) from record_changes c where c.operation_id = o.id and c.undo = 'skipped') end as skipped,
  (select s.name from staff s where s.id = o.undone_by) as undone_by`)
const changesOf = sql.raw(
  `record_changes c join leads l on c.record_type = 'lead' and l.lead_id = c.record_id`,
)
const visibleTo = (viewer: Viewer) =>
  sql`o.record_type = 'lead' and ${isAdminRole(viewer.role_id) ? sql`true` : sql`o.staff_id = ${viewer.id}`}
    and (not exists (select from record_changes c where c.operation_id = o.id)
      or exists (select from ${changesOf} where c.operation_id = o.id and l.lead_for = any(${viewer.products}::int[])))`
/** Edits to a single lead are shown in the lead's timeline instead. */
const listedTo = (viewer: Viewer) => sql`${visibleTo(viewer)} and o.kind <> 'edit'`
const asOperation = (found: Found): Operation => ({
  ...found,
  summary: summaryOf(found.summary, found.state === 'running' ? found.total : found.changed),
})

/**
 * Returns a page of the viewer's own operations or, for roles 0 and 1, of all users' operations, newest
 * first.
 */
export async function findOperations(
  db: Db,
  viewer: Viewer,
  page: number,
): Promise<{ data: Operation[]; total: number; per_page: number }> {
  const [{ rows }, total] = await Promise.all([
    sql<Found>`select ${operationColumns} from operations o where ${listedTo(viewer)} order by o.id desc
      limit ${operationsPerPage} offset ${(page - 1) * operationsPerPage}`.execute(db),
    sql<{ total: number }>`select count(*) as total from operations o where ${listedTo(viewer)}`.execute(db),
  ])
  return { data: rows.map(asOperation), total: total.rows[0]!.total, per_page: operationsPerPage }
}

/** @throws HttpError 404 if the operation does not exist or belongs to another user. */
export async function getOperation(db: Db, id: number, viewer: Viewer): Promise<Operation> {
  const { rows } =
    await sql<Found>`select ${operationColumns} from operations o where o.id = ${id} and ${visibleTo(viewer)}`.execute(
      db,
    )
  if (!rows[0]) throw notFound('Operation not found.')
  return asOperation(rows[0])
}

/** Reports whether an operation touched leads of any products other than these. */
export async function touchesOthers(db: Db, id: number, products: readonly number[]): Promise<boolean> {
  const { rows } = await sql`select from ${changesOf}
    where c.operation_id = ${id} and l.lead_for <> all(${products}::int[]) limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Returns an operation's leads that have been changed since or cannot be restored or, if the operation was
 * undone, those that the undo skipped. Returns the first hundred, their total, and how many of them are
 * blocked by something other than a change. Only includes leads of the viewer's products.
 */
export async function findChangedSince(
  db: Db,
  { id, state }: Pick<Operation, 'id' | 'state'>,
  viewer: Viewer,
): Promise<{ data: ChangedSince[]; total: number; barred: number }> {
  const isUndone = state === 'undone' || state === 'undoing'
  const whyNotPutBack = undoBlockedReason('undo')
  const changed = isUndone
    ? sql`c.undo = 'skipped'`
    : sql`(l.version <> c.version_after or ${whyNotPutBack} is not null)`
  const why = isUndone
    ? sql`c.undo_why`
    : sql`case when l.version = c.version_after then ${whyNotPutBack} end`
  const from = sql`from ${changesOf} where c.operation_id = ${id} and l.lead_for = any(${viewer.products}::int[]) and ${changed}`
  const [{ rows }, total] = await Promise.all([
    sql<ChangedSince>`select l.lead_id, l.company_name as "companyName", coalesce(last.who, 'System') as who, coalesce(last.at, l.updated_at) as at, found.why
      from (select l.lead_id, ${why} as why ${from} order by l.lead_id limit ${mostListed}) found join leads l using (lead_id)
      left join lateral (select a.at, s.name as who from audit_log a left join staff s on s.id = a.staff_id
        where a.target_type = 'lead' and a.target_id = l.lead_id order by a.id desc limit 1) last on true order by l.lead_id`.execute(
      db,
    ),
    sql<{ total: number; barred: number }>`select count(*) as total, count(${why}) as barred ${from}`.execute(
      db,
    ),
  ])
  return { data: rows, ...total.rows[0]! }
}

/**
 * Returns how many leads an operation would restore if it were undone now, and the latest operation that must
 * be undone first to restore more; null if no operation prevents it.
 */
export async function findRestorable(
  db: Db,
  id: number,
): Promise<{ restorable: number; undo_first: (OperationRef & { who: string }) | null }> {
  const [{ rows }, later] = await Promise.all([
    sql<{ restorable: number }>`select count(*) as restorable from ${changesOf} where c.operation_id = ${id}
      and c.undo is distinct from 'undone' and l.version = c.version_after and ${undoBlockedReason('undo')} is null`.execute(
      db,
    ),
    sql<{ id: number; summary: string; changed: number; who: string }>`
      select o.id, o.summary, o.changed, (select s.name from staff s where s.id = o.staff_id) as who
      from operations o where o.id > ${id} and o.state in ('done', 'failed') and exists (
        select from ${changesOf} join record_changes n on n.record_type = 'lead' and n.record_id = c.record_id and n.version_after = l.version
        where c.operation_id = ${id} and l.version <> c.version_after and n.operation_id = o.id and n.undo is null)
      order by o.id desc limit 1`.execute(db),
  ])
  const [first] = later.rows
  return {
    restorable: rows[0]!.restorable,
    undo_first: first
      ? { id: first.id, summary: summaryOf(first.summary, first.changed), who: first.who }
      : null,
  }
}

interface RevertibleChange {
  lead_id: number
  before: Patch | null
  after: Patch
  version: number
  version_before: number
  unchanged: boolean
  why: string | null
}

/**
 * Returns the patch that restores a lead to its state before an operation, or after it; a lead that the
 * operation created is moved to the trash or restored from it.
 */
function patchOf(
  { before, after }: Pick<RevertibleChange, 'before' | 'after'>,
  way: UndoDirection,
  staff_id: number,
  now: string,
): Patch {
  if (way === 'undo') return before ?? { deleted_at: now, deleted_by: staff_id }
  return before === null ? { deleted_at: null, deleted_by: null } : after
}

/**
 * Undoes or redoes an operation for its next leads; returns undefined if none are left. Skips leads that have
 * been changed since, and those whose list values or key are no longer available. The undo or redo is itself
 * a change: the version is incremented, and the history records it.
 */
export async function undoOrRedoBatch(
  db: Db,
  id: number,
  staff_id: number,
  way: UndoDirection,
  limit: number,
): Promise<Change[] | undefined> {
  await lockListsShared(db)
  const [then, next] =
    way === 'undo'
      ? [sql.raw('c.version_after'), sql.raw('c.undo is null')]
      : [sql.raw('c.version_undone'), sql.raw(`c.undo = 'undone'`)]
  const { rows } =
    await sql<RevertibleChange>`select l.lead_id, c.before, c.after, c.version_before, l.version, l.version is not distinct from ${then} as unchanged, ${undoBlockedReason(way)} as why
    from ${changesOf} where c.operation_id = ${id} and ${next} order by c.record_id limit ${limit} for update of l`.execute(
      db,
    )
  if (!rows.length) return undefined
  const now = new Date().toISOString()
  const all = rows.flatMap((row) =>
    row.unchanged && row.why === null ? [{ ...row, patch: patchOf(row, way, staff_id, now) }] : [],
  )
  const returns = ({ patch }: { patch: Patch }) => patch.deleted_at === null
  await writeLeads(
    db,
    all.filter((one) => !returns(one)),
  )
  // Leads restored from the trash are processed last, because the other leads may have to release their keys
  // first.
  const taken = await findTakenKeys(
    db,
    all.filter(returns).map(({ lead_id }) => lead_id),
  )
  await writeLeads(
    db,
    all.filter((one) => returns(one) && !taken.has(one.lead_id)),
  )
  const turned = all.filter(({ lead_id }) => !taken.has(lead_id))
  await keepOutcomes(
    db,
    id,
    way,
    rows.map(({ lead_id, unchanged, why, version, version_before }) => ({
      lead_id,
      turned: turned.some((one) => one.lead_id === lead_id),
      why: unchanged ? (taken.has(lead_id) ? keyTaken : why) : null,
      version,
      version_before,
    })),
  )
  return turned.map(({ lead_id, patch, before, after }) => {
    const was = way === 'undo' ? after : (before ?? { deleted_at: now })
    return audited({
      lead_id,
      before: way === 'undo' && before === null ? { deleted_at: null } : was,
      after: patch,
    })
  })
}

/**
 * Clears the marks on skipped leads: each lead is either still as the operation left it, or its version shows
 * that it was changed.
 */
export async function clearSkipped(db: Db, id: number): Promise<void> {
  await db
    .updateTable('record_changes')
    .set({ undo: null, undo_why: null })
    .where('operation_id', '=', id)
    .where('undo', '=', 'skipped')
    .execute()
}

interface Outcome {
  lead_id: number
  turned: boolean
  why: string | null
  version: number
  version_before: number
}

async function keepOutcomes(
  db: Db,
  id: number,
  way: UndoDirection,
  outcomes: readonly Outcome[],
): Promise<void> {
  const those = sql`jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as o(lead_id int, turned boolean, why text, version int, version_before int)`
  const own = sql`c.operation_id = ${id} and c.record_type = 'lead' and c.record_id = o.lead_id`
  if (way === 'redo') {
    // The lead is back in the state it was in before a later operation that was undone, so that operation can
    // be redone as well.
    await sql`update record_changes c set version_undone = o.version + 1 from ${those}, record_changes own
      where o.turned and own.operation_id = ${id} and own.record_type = 'lead' and own.record_id = o.lead_id
        and c.record_type = 'lead' and c.record_id = o.lead_id and c.operation_id <> ${id} and c.undo = 'undone' and c.version_undone = own.version_after`.execute(
      db,
    )
    // A lead skipped now keeps its state, no matter what happens to the operation.
    await sql`update record_changes c set undo = case when o.turned then null else 'skipped' end, undo_why = o.why, version_undone = null,
        version_before = case when o.turned then o.version else c.version_before end, version_after = case when o.turned then o.version + 1 else c.version_after end
      from ${those} where ${own}`.execute(db)
    return
  }
  await sql`update record_changes c set undo = case when o.turned then 'undone' else 'skipped' end, undo_why = o.why,
      version_undone = case when o.turned then o.version + 1 end
    from ${those} where ${own}`.execute(db)
  // The lead is back in the state that an earlier operation left it in, so that operation can still be undone
  // as well.
  await sql`update record_changes c set version_after = o.version + 1 from ${those}
    where o.turned and c.record_type = 'lead' and c.record_id = o.lead_id and c.version_after = o.version_before and c.undo is null`.execute(
    db,
  )
}

/** Returns the leads in the trash whose key is now used by another lead. */
export async function findTakenKeys(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (!ids.length) return new Set()
  const { rows } = await sql<{
    lead_id: number
  }>`select l.lead_id from leads l where l.lead_id = any(${ids}::int[]) and l.reference is not null and exists (
    select from leads o where o.lead_for = l.lead_for and o.reference = l.reference and o.deleted_at is null and o.lead_id <> l.lead_id)`.execute(
    db,
  )
  return new Set(rows.map(({ lead_id }) => lead_id))
}
