import { sql } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { OperationRef } from '#shared/record.contract.ts'
import type { BulkChange, ChangedSince, Operation } from '#features/crm/leads/operations/contract.ts'
import { rightOf } from '#features/crm/leads/operations/contract.ts'
import { summaryOf, type OperationKind } from '#features/crm/leads/operations/rules.ts'
import { audited, writeLeads, type Patch } from '#features/crm/leads/operations/server/lead-changes.ts'
import { keyTaken, relyOnLists, whyNotPutBack } from '#features/crm/leads/operations/server/put-back.ts'
import type { Db } from '#server/db/db.ts'
import type { Change } from '#server/http/audit.ts'
import { notFound } from '#server/http/errors.ts'

export const operationsPerPage = 20
const mostListed = 100

interface Begun {
  kind: OperationKind
  staff_id: number
  /** What is done, without how many. */
  summary: string
  /** The leads of an act that goes on in the background, and what is done with each. */
  background?: { todo: readonly number[]; change: BulkChange }
  /** It goes on, and says by itself when it is done. */
  running?: boolean
}

/** Begins an act that can be taken back; answers its id. */
export async function beginOperation(db: Db, { kind, staff_id, summary, background, running = background !== undefined }: Begun): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into operations (kind, staff_id, summary, needs, state, todo, change) values (${kind}, ${staff_id}, ${summary},
    ${rightOf[kind]}, ${running ? 'running' : 'done'}, ${background?.todo ?? []}::int[], ${background ? JSON.stringify(background.change) : null}::jsonb) returning id`.execute(
    db,
  )
  return rows[0]!.id
}

/** An act that changed nothing is none. */
export async function dropOperation(db: Db, id: number): Promise<void> {
  await db.deleteFrom('operations').where('id', '=', id).execute()
}

/** An act as an answer names it. */
export async function getReference(db: Db, id: number): Promise<OperationRef> {
  const { summary, changed } = await db.selectFrom('operations').select(['summary', 'changed']).where('id', '=', id).executeTakeFirstOrThrow()
  return { id, summary: summaryOf(summary, changed) }
}

type Found = Omit<Operation, 'summary'> & { summary: string }
const operationColumns = sql.raw(`o.id, o.kind, o.at, o.staff_id, o.needs, o.state, o.summary, o.seen, o.changed, o.undone_at,
  greatest(cardinality(o.todo), o.changed) as total,
  (select s.first_name || ' ' || s.last_name from staff s where s.id = o.staff_id) as who,
  (select s.first_name || ' ' || s.last_name from staff s where s.id = o.undone_by) as undone_by`)
const visibleTo = (viewer: Viewer) => (isAdminRole(viewer.role_id) ? sql`true` : sql`o.staff_id = ${viewer.id}`)
const asOperation = (found: Found): Operation => ({ ...found, summary: summaryOf(found.summary, found.state === 'running' ? found.total : found.changed) })

/** One's own acts, everybody's for roles 0 and 1, the newest first. */
export async function findOperations(db: Db, viewer: Viewer, page: number): Promise<{ data: Operation[]; total: number; per_page: number }> {
  const [{ rows }, total] = await Promise.all([
    sql<Found>`select ${operationColumns} from operations o where ${visibleTo(viewer)} order by o.id desc
      limit ${operationsPerPage} offset ${(page - 1) * operationsPerPage}`.execute(db),
    sql<{ total: number }>`select count(*) as total from operations o where ${visibleTo(viewer)}`.execute(db),
  ])
  return { data: rows.map(asOperation), total: total.rows[0]!.total, per_page: operationsPerPage }
}

/** @throws HttpError 404 when there is none, or it is somebody else's. */
export async function getOperation(db: Db, id: number, viewer: Viewer): Promise<Operation> {
  const { rows } = await sql<Found>`select ${operationColumns} from operations o where o.id = ${id} and ${visibleTo(viewer)}`.execute(db)
  if (!rows[0]) throw notFound('Act')
  return asOperation(rows[0])
}

/** The same, and nobody else takes it back at the same moment. */
export async function lockOperation(db: Db, id: number, viewer: Viewer): Promise<Operation> {
  await sql`select from operations where id = ${id} for update`.execute(db)
  return getOperation(db, id, viewer)
}

/** Whether an act touched leads of other products than these. */
export async function touchesOthers(db: Db, id: number, products: readonly number[]): Promise<boolean> {
  const { rows } = await sql`select from operation_changes c join leads l using (lead_id)
    where c.operation_id = ${id} and l.lead_for <> all(${products}::int[]) limit 1`.execute(db)
  return rows.length > 0
}

/**
 * The leads of an act that were changed after it or cannot be put back; of an act that was undone, those that were left alone.
 * The first hundred, how many there are, and how many of them for another reason than a change.
 * Only leads of the viewer's products: the others do not exist for him.
 */
export async function findChangedSince(
  db: Db,
  { id, state }: Pick<Operation, 'id' | 'state'>,
  viewer: Viewer,
): Promise<{ data: ChangedSince[]; total: number; barred: number }> {
  const isUndone = state === 'undone' || state === 'undoing'
  const changed = isUndone ? sql`c.undo = 'skipped'` : sql`(l.version <> c.version_after or ${whyNotPutBack} is not null)`
  const why = isUndone ? sql`c.undo_why` : sql`case when l.version = c.version_after then ${whyNotPutBack} end`
  const from = sql`from operation_changes c join leads l using (lead_id) where c.operation_id = ${id} and l.lead_for = any(${viewer.products}::int[]) and ${changed}`
  const [{ rows }, total] = await Promise.all([
    sql<ChangedSince>`select l.lead_id, l.company_name as "companyName", coalesce(last.who, 'Nobody') as who, coalesce(last.at, l.updated_at) as at, found.why
      from (select c.lead_id, ${why} as why ${from} order by c.lead_id limit ${mostListed}) found join leads l using (lead_id)
      left join lateral (select a.at, s.first_name || ' ' || s.last_name as who from audit_log a left join staff s on s.id = a.staff_id
        where a.target_type = 'lead' and a.target_id = l.lead_id order by a.id desc limit 1) last on true order by l.lead_id`.execute(db),
    sql<{ total: number; barred: number }>`select count(*) as total, count(${why}) as barred ${from}`.execute(db),
  ])
  return { data: rows, ...total.rows[0]! }
}

/** Marks an act as being taken back. */
export async function beginUndo(db: Db, id: number, staff_id: number, state: 'undoing' | 'undone'): Promise<void> {
  await sql`update operations set state = ${state}, undone_at = now(), undone_by = ${staff_id} where id = ${id}`.execute(db)
}

interface ToUndo {
  lead_id: number
  before: Patch | null
  after: Patch
  version_before: number
  version: number
  unchanged: boolean
  why: string | null
}

/**
 * Takes back the next leads of an act: those that nobody changed since are as they were, the others are left alone, as are those whose words or key are gone.
 * Undefined when there are no more. What is taken back is itself a change: the version grows, and the history says so.
 */
export async function undoPiece(db: Db, id: number, staff_id: number, limit: number): Promise<Change[] | undefined> {
  await relyOnLists(db)
  const { rows } =
    await sql<ToUndo>`select c.lead_id, c.before, c.after, c.version_before, l.version, l.version = c.version_after as unchanged, ${whyNotPutBack} as why
    from operation_changes c join leads l using (lead_id) where c.operation_id = ${id} and c.undo is null order by c.lead_id limit ${limit} for update of l`.execute(
      db,
    )
  if (!rows.length) return undefined
  const now = new Date().toISOString()
  const all = rows.flatMap(({ lead_id, before, version_before, version, unchanged, why }) =>
    unchanged && why === null
      ? [{ lead_id, version_before, version, patch: before ?? ({ deleted_at: now, deleted_by: staff_id } satisfies Patch), entered: !before }]
      : [],
  )
  const returns = ({ patch }: { patch: Patch }) => patch.deleted_at === null
  await writeLeads(
    db,
    all.filter((one) => !returns(one)),
  )
  // What comes back from the trash comes last: the others may have to give back its key first.
  const taken = await findTakenKeys(
    db,
    all.filter(returns).map(({ lead_id }) => lead_id),
  )
  await writeLeads(
    db,
    all.filter((one) => returns(one) && !taken.has(one.lead_id)),
  )
  const undone = all.filter(({ lead_id }) => !taken.has(lead_id))
  const ids = undone.map(({ lead_id }) => lead_id)
  const outcomes = rows.map(({ lead_id, unchanged, why }) => ({ lead_id, why: unchanged ? (taken.has(lead_id) ? keyTaken : why) : null }))
  await sql`update operation_changes c set undo = case when c.lead_id = any(${ids}::int[]) then 'undone' else 'skipped' end, undo_why = o.why
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as o(lead_id int, why text) where c.operation_id = ${id} and c.lead_id = o.lead_id`.execute(db)
  // The lead is again what an earlier act left behind: that one can still be taken back as well.
  await sql`update operation_changes c set version_after = u.version + 1 from jsonb_to_recordset(${JSON.stringify(undone)}::jsonb) as u(lead_id int, version_before int, version int)
    where c.lead_id = u.lead_id and c.version_after = u.version_before and c.undo is null`.execute(db)
  return undone.map(({ lead_id, patch, entered }) => {
    const { after } = rows.find((row) => row.lead_id === lead_id)!
    return audited({ lead_id, before: entered ? { deleted_at: null } : after, after: patch })
  })
}

/** Of leads in the trash, those whose key another lead has by now. */
export async function findTakenKeys(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (!ids.length) return new Set()
  const { rows } = await sql<{ lead_id: number }>`select l.lead_id from leads l where l.lead_id = any(${ids}::int[]) and l.reference is not null and exists (
    select from leads o where o.lead_for = l.lead_for and o.reference = l.reference and o.deleted_at is null and o.lead_id <> l.lead_id)`.execute(db)
  return new Set(rows.map(({ lead_id }) => lead_id))
}
