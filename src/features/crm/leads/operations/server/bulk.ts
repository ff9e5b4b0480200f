import { CompiledQuery, sql, type Transaction } from 'kysely'
import { setTimeout as wait } from 'node:timers/promises'
import { dayText, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { BulkChange, LeadSelection } from '#features/crm/leads/operations/contract.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { rejectedStatus, whyNotSet } from '#features/crm/leads/rules.ts'
import { findChoices, findUnknown } from '#features/crm/leads/record/server/choices.queries.ts'
import {
  audited,
  changeLockedLeads,
  lockLeads,
  type LockedLead,
  type LeadChanged,
  type Patch,
} from '#features/crm/leads/operations/server/lead-changes.ts'
import { matching } from '#features/crm/leads/list/server/list.queries.ts'
import { touchesOthers, undoOrRedoBatch } from '#features/crm/leads/operations/server/operations.queries.ts'
import type { UndoDirection } from '#shared/operations.ts'
import { records } from '#shared/record.contract.ts'
import type { Database, Db } from '#server/db/db.ts'
import { writeAudit, type Change } from '#server/http/audit.ts'
import { conflict, HttpError, invalid } from '#server/http/errors.ts'
import { setState } from '#server/record/operations.ts'

const changedAtOnce = 500
const maxAttempts = 6

/**
 * Returns the IDs of the selected leads, in order. IDs that were sent are not checked: some may be unknown,
 * out of scope, or in the trash.
 * @throws HttpError 409 with the current count if the number of leads that match the filters differs from the
 * number that the caller saw.
 */
export async function findChosen(
  db: Db,
  { ids, filters, total }: LeadSelection,
  viewer: Viewer,
  today: PlainDate,
): Promise<number[]> {
  if (ids) return [...new Set(ids)].toSorted((a, b) => a - b)
  const { where, values } = matching(filters!, viewer, filters!.today ?? today)
  // Counting a million leads takes a bit longer than loading a page.
  await sql`set local statement_timeout = '30s'`.execute(db)
  const { rows } = await db.executeQuery<{ lead_id: number }>(
    CompiledQuery.raw(`select l.lead_id from leads l where ${where} order by l.lead_id`, values),
  )
  if (rows.length !== total)
    throw conflict(
      `${rows.length.toLocaleString('en-US')} leads match these filters now, not ${total!.toLocaleString('en-US')}. Review the list and try again.`,
      {
        total: rows.length,
      },
    )
  return rows.map(({ lead_id }) => lead_id)
}

/**
 * Validates a change and returns its summary.
 * @throws HttpError 422 for values that are not in their list, and for setting Rejected as a plain status.
 */
export async function describeChange(db: Db, change: BulkChange): Promise<string> {
  const choices = await findChoices(db)
  const why = change.kind === 'status' ? whyNotSet(change.status) : undefined
  if (why) throw invalid('change.status', why)
  const [unknown] = Object.entries(findUnknown(choices, valuesOf(change)))
  if (unknown)
    throw new HttpError(422, unknown[1][0]!, {
      errors: { [`change.${change.kind === 'tags' ? 'tag_id' : unknown[0]}`]: unknown[1] },
    })
  const name = async (table: 'lead_colors' | 'lead_tags', id: number) =>
    (await db.selectFrom(table).select('name').where('id', '=', id).executeTakeFirstOrThrow()).name
  switch (change.kind) {
    case 'status':
      return `Status set to ${choices.statuses.find(({ id }) => id === change.status)!.name}`
    case 'reject':
      return 'Rejected'
    case 'color':
      return `Priority set to ${await name('lead_colors', change.color)}`
    case 'assign':
      return change.assign_to === null
        ? 'Unassigned'
        : `Assigned to ${await nameOfStaff(db, change.assign_to)}`
    case 'followup':
      return change.followup_date === null
        ? 'Follow-up date cleared'
        : `Follow-up date set to ${dayText(change.followup_date)}`
    case 'tags':
      return `Tag ${await name('lead_tags', change.tag_id)} ${change.add ? 'added' : 'removed'}`
    case 'delete':
      return 'Moved to trash'
  }
}

const nameOfStaff = async (db: Db, id: number) =>
  (await db.selectFrom('staff').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name

function valuesOf(change: BulkChange) {
  switch (change.kind) {
    case 'status':
      return { status: change.status }
    case 'color':
      return { color: change.color }
    case 'assign':
      return { assign_to: change.assign_to }
    case 'tags':
      return { tag_ids: [change.tag_id] }
    case 'followup':
    case 'reject':
    case 'delete':
      return {}
  }
}

/** Applies a change to leads; returns the changes and the number of leads found. */
export async function changeLeads(
  db: Db,
  operation_id: number,
  ids: readonly number[],
  change: BulkChange,
  { id: staff_id, products }: Pick<Viewer, 'id' | 'products'>,
): Promise<{ changes: LeadChanged[]; found: number }> {
  const leads = await lockLeads(db, ids, { products, wanted: columnsOf[change.kind] })
  const now = new Date().toISOString()
  return {
    changes: await changeLockedLeads(db, operation_id, leads, (lead) => patchOf(change, lead, staff_id, now)),
    found: leads.length,
  }
}

const columnsOf: Record<BulkChange['kind'], readonly (keyof Patch)[]> = {
  status: ['status', 'reject_msg'],
  reject: ['status', 'reject_msg'],
  color: ['color'],
  assign: ['assign_to'],
  followup: ['followup_date'],
  tags: ['tag_ids'],
  delete: ['deleted_at', 'deleted_by'],
}

function patchOf(change: BulkChange, { held }: LockedLead, staff_id: number, now: string): Patch {
  switch (change.kind) {
    case 'status':
      return held.status === change.status ? {} : { status: change.status, reject_msg: null }
    case 'reject':
      // A lead that is already rejected keeps its reason.
      return held.status === rejectedStatus ? {} : { status: rejectedStatus, reject_msg: change.reject_msg }
    case 'color':
      return { color: change.color }
    case 'assign':
      return { assign_to: change.assign_to }
    case 'followup':
      return { followup_date: change.followup_date }
    case 'tags': {
      const others = held.tag_ids!.filter((id) => id !== change.tag_id)
      return { tag_ids: change.add ? [...others, change.tag_id].toSorted((a, b) => a - b) : others }
    }
    case 'delete':
      return { deleted_at: now, deleted_by: staff_id }
  }
}

/* ---- In the background ---- */

export interface OperationProgress {
  staff_id: number
  lead_ids: number[]
  finished: boolean
}

/**
 * Processes the rest of an operation in batches; safe to call after a crash, or twice concurrently. A batch
 * that fails is retried. If it keeps failing, the operation is marked as failed, and the completed changes
 * can be undone.
 */
export async function runOperation(
  db: Db,
  id: number,
  tell: (progress: OperationProgress) => void,
): Promise<void> {
  for (let troubles = 0; ;) {
    try {
      const progress = await db.transaction().execute((tx) => processOperationBatch(tx, id))
      if (!progress) return
      tell(progress)
      if (progress.finished) return
      troubles = 0
    } catch (error) {
      troubles += 1
      if (troubles === maxAttempts) {
        await db
          .updateTable('operations')
          .set({ state: 'failed' })
          .where('id', '=', id)
          .where('state', '=', 'running')
          .execute()
        throw error
      }
      await wait(troubles * 200)
    }
  }
}

interface Held {
  state: string
  staff_id: number
  needs: string
  change: BulkChange
  undone_by: number | null
  seen: number
  next: number[]
}

/**
 * Processes the next leads of an operation that is running or being undone or redone; returns undefined in
 * any other state.
 */
export async function processOperationBatch(
  db: Transaction<Database>,
  id: number,
): Promise<OperationProgress | undefined> {
  const { rows } =
    await sql<Held>`select state, staff_id, needs, change, undone_by, seen, todo[seen + 1 : seen + ${changedAtOnce}] as next
    from operations where id = ${id} for update`.execute(db)
  const held = rows[0]
  if (held?.state === 'undoing' || held?.state === 'redoing') {
    const [way, staff_id] = [held.state === 'undoing' ? 'undo' : 'redo', held.undone_by!] as const
    const products = await productsIfAllowed(db, staff_id, held.needs)
    if (products && !(await touchesOthers(db, id, products))) return processUndoBatch(db, id, staff_id, way)
    // Changes that were already undone (or redone) stay that way; other users can still undo (or redo) the
    // rest.
    await setState(db, id, way === 'undo' ? 'done' : 'undone', staff_id)
    return { staff_id, lead_ids: [], finished: true }
  }
  if (held?.state !== 'running' || !held.change) return undefined
  if (!held.next.length) {
    await db.updateTable('operations').set({ state: 'done' }).where('id', '=', id).execute()
    return { staff_id: held.staff_id, lead_ids: [], finished: true }
  }
  // The user's permissions and products may have changed since the leads were counted.
  const products = await productsIfAllowed(db, held.staff_id, held.needs)
  if (!products) {
    await db.updateTable('operations').set({ state: 'failed' }).where('id', '=', id).execute()
    return { staff_id: held.staff_id, lead_ids: [], finished: true }
  }
  const { changes } = await changeLeads(db, id, held.next, held.change, { id: held.staff_id, products })
  await writeAuditRows(db, id, held.staff_id, leadOperations.change, changes.map(audited))
  await sql`update operations set seen = seen + ${held.next.length} where id = ${id}`.execute(db)
  return { staff_id: held.staff_id, lead_ids: changes.map(({ lead_id }) => lead_id), finished: false }
}

/** Returns a user's products; undefined if the user has been banned or no longer has the permission. */
async function productsIfAllowed(db: Db, staff_id: number, needs: string): Promise<number[] | undefined> {
  const { rows } = await sql<{
    products: number[]
  }>`select array(select p.product_id from staff_products p where p.staff_id = s.id) as products from staff s
    where s.id = ${staff_id} and s.banned_at is null
      and exists (select from role_permissions r where r.role_id = s.role_id and r.permission = ${needs})`.execute(
    db,
  )
  return rows[0]?.products
}

async function processUndoBatch(
  db: Transaction<Database>,
  id: number,
  staff_id: number,
  way: UndoDirection,
): Promise<OperationProgress> {
  const changes = await undoOrRedoBatch(db, id, staff_id, way, changedAtOnce)
  if (!changes) {
    await setState(db, id, way === 'undo' ? 'undone' : 'done', staff_id)
    return { staff_id, lead_ids: [], finished: true }
  }
  await writeAuditRows(db, id, staff_id, records[way], changes)
  return { staff_id, lead_ids: changes.map((change) => change.id), finished: false }
}

async function writeAuditRows(
  db: Transaction<Database>,
  id: number,
  staff_id: number,
  { method, path, act = '' }: { method: string; path: string; act?: string },
  changes: readonly Change[],
): Promise<void> {
  if (changes.length)
    await writeAudit(
      db,
      { staff_id, endpoint: `${method} ${path}`, act, address: '', request_id: `operation ${id}` },
      changes,
    )
}
