import { CompiledQuery, sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { Candidate } from '#shared/recipients.ts'
import type { Note } from '#shared/notes.contract.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { nameOfCustomValue, type CustomValues } from '#features/crm/leads/custom-fields.rules.ts'
import { readGivenValues } from '#features/crm/leads/custom-fields/server/given-values.ts'
import { rejectedStatus, withoutReason } from '#features/crm/leads/rules.ts'
import { completeAmount } from '#features/crm/leads/record/server/amounts.ts'
import { refuseUnknown } from '#features/crm/leads/record/server/choices.queries.ts'
import { patchOfBulkChange } from '#features/crm/leads/record/server/bulk-changes.ts'
import { keyTaken, leadUndoRules } from '#features/crm/leads/record/server/undo-rules.ts'
import {
  leadColumns,
  references,
  wholeColumns,
  wireNames,
  type LeadValues,
} from '#features/crm/leads/record/server/lead-columns.ts'
import type { Db } from '#server/db/db.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { stateFrom } from '#server/record/cards.ts'
import {
  changeLocked,
  createRecord,
  lockRecord,
  type changeRecord,
  type Changed,
} from '#server/record/record.ts'
import { recordKind, type StoredOf, type Writing } from '#server/record/rows.ts'
import { zoneOf } from '#server/zone-of.ts'
import { completeMaps, toColumns, withEntries } from '#server/record/values.ts'

const wholeLead = `select ${wholeColumns} from leads l left join organizations o on o.organization_id = l.organization_id and o.deleted_at is null
  where l.lead_id = $1 and l.lead_for = any($2) and l.deleted_at is null`

/**
 * Returns a lead in the viewer's products; leads in other products are treated as nonexistent.
 * @throws HttpError 404
 */
export async function getLead(db: Db, id: number, { products }: Viewer): Promise<Lead> {
  const { rows } = await db.executeQuery<Lead>(CompiledQuery.raw(wholeLead, [id, products]))
  return rows[0] ?? noLead()
}

const notesOfLead = 50

/** Returns the newest notes on a lead and on the leads merged into it. */
export async function findLeadNotes(db: Db, id: number): Promise<Note[]> {
  const { rows } = await sql<Note>`select n.id, n.body, n.created_at, coalesce(s.name, 'System') as who
    from notes n left join staff s on s.id = n.staff_id
    where n.record_type = 'lead' and n.record_id in (${withMerged(id)}) order by n.id desc limit ${notesOfLead}`.execute(
    db,
  )
  return rows
}

/**
 * Returns a lead, locked for a change.
 * @throws HttpError 404
 */
export async function lockLead(db: Db, id: number, { products }: Viewer): Promise<Lead> {
  const { rows } = await db.executeQuery<Lead>(
    CompiledQuery.raw(`${wholeLead} for update of l`, [id, products]),
  )
  return rows[0] ?? noLead()
}

/** @throws HttpError 404 if the lead does not exist in the viewer's products. */
export async function demandLead(db: Db, id: number, viewer: Viewer): Promise<void> {
  if (!(await isVisible(db, id, viewer))) noLead()
}

/** Reports whether a lead exists in the viewer's products. */
export async function isVisible(db: Db, id: number, { products }: Viewer): Promise<boolean> {
  const { rows } =
    await sql`select from leads where lead_id = ${id} and lead_for = any(${products}) and deleted_at is null`.execute(
      db,
    )
  return rows.length > 0
}

function noLead(): never {
  throw notFound('Lead not found.')
}

/**
 * Creates a lead; missing fields get their column defaults, and the time zone that of the phone number, the country, or
 * the creator. Returns its ID.
 * @throws HttpError 422 for values that are not in their list.
 */
export async function createLead(
  creating: Pick<Writing, 'db' | 'audit' | 'changed' | 'viewer'>,
  values: LeadValues & { companyName: string; lead_for: number },
): Promise<number> {
  await refuseUnknown(creating.db, values)
  const { amount = null, currency = null } = values
  completeAmount({ amount: null, currency: null }, { amount, currency })
  const own = { created_by: creating.viewer.id }
  const custom_values = await readGivenValues(creating.db, values.lead_for, values.custom_values)
  const timezone = values.timezone ?? zoneOf(values)?.zone ?? creating.viewer.zone ?? 'UTC'
  const row = toColumns(leadKind, { ...values, timezone, custom_values })
  return createRecord(creating, leadKind, completeMaps(leadKind, {}, row), own)
}

type LeadChangeOptions = Pick<
  NonNullable<Parameters<typeof changeRecord>[4]>,
  'stated' | 'summary' | 'kind' | 'needs' | 'within'
> & {
  /** Refuses a change, given the locked lead and what would change; throws an HttpError. */
  check?: (before: StoredOf<typeof leadKind>, changes: LeadValues) => Promise<void> | void
}

/**
 * Changes the fields of a lead that differ; see `changeRecord`.
 * @throws HttpError 422 for values that are not in their list.
 */
export async function changeLead(
  writing: Writing,
  id: number,
  values: LeadValues,
  { check, ...options }: LeadChangeOptions = {},
): Promise<Changed> {
  const { db, viewer } = writing
  const stored = await lockRecord(db, leadKind, id, viewer)
  const product = values.lead_for ?? stored.lead_for
  const custom_values = await readGivenValues(
    db,
    product,
    values.custom_values,
    stored.custom_values as CustomValues,
  )
  return changeLocked(
    writing,
    leadKind,
    stored,
    { ...values, custom_values },
    {
      needs: 'lead_edit',
      ...options,
      // A form has custom values beside the other fields.
      current: async () => {
        const lead = await getLead(db, id, viewer)
        return { ...withEntries(leadKind, { ...lead }), ...lead }
      },
      amend: async (before, changes) => {
        await check?.(before, changes)
        // Only new values must be in their list: a lead can keep a value that has since been removed.
        if (Object.keys(changes).length) await refuseUnknown(db, changes)
        return {
          ...completeAmount(before, changes),
          ...(changes['status'] !== undefined && before['status'] === rejectedStatus ? withoutReason : {}),
        }
      },
    },
  ).catch((error: { constraint?: string }) => {
    throw error.constraint === 'leads_reference'
      ? invalid('lead_for', 'Another lead for this product already has this external ID.')
      : error
  })
}

/**
 * Builds the SQL set of IDs of a lead and of all leads merged into it, whose history counts as part of the
 * lead's.
 */
export const withMerged = (lead_id: number) => sql<number>`(with recursive family as (
    select ${lead_id}::int as lead_id union select l.lead_id from leads l join family f on l.merged_into = f.lead_id) select lead_id from family)`

/** Descriptor of leads. A lead's notes and history include those of leads merged into it. */
export const leadKind = recordKind({
  type: 'lead',
  table: 'leads',
  id: 'lead_id',
  name: 'r.company_name',
  state: stateFrom('lead_statuses', 'status'),
  page: '/demo-leads/lead/$id',
  columns: leadColumns,
  wireNames,
  references,
  links: {
    // Tags that have since been removed from the list are not restored.
    tag_ids: { table: 'lead_tag_links', own: 'lead_id', other: 'tag_id', existingIn: 'lead_tags' },
    demo_ids: { table: 'lead_demos', own: 'lead_id', other: 'id', moves: true },
  },
  maps: { custom_values: nameOfCustomValue },
  live: { operations: 'lead-operations' },
  visibility: {
    scope: ({ products }) => sql`r.lead_for = any(${products}::int[])`,
    products: { of: 'array[r.lead_for::int]', movedBy: ['lead_for'] },
    belongsTo: { organization: (ids) => sql`r.organization_id in (${ids})` },
  },
  history: { relatedIds: withMerged },
  mergedInto: 'merged_into',
  bulk: { patchOf: patchOfBulkChange, endpoint: 'POST /admin/users/change-leads' },
  trash: {
    find: {
      search: 'r.search',
      note: `concat_ws(' · ', nullif(r.contact_name, ''), nullif(r.email, ''), 'merged into #' || r.merged_into)`,
    },
    restored: { merged_into: null },
  },
  keyTaken: { leads_reference: keyTaken },
  undo: leadUndoRules,
  openWork: { columns: ['assign_to'], open: sql`deleted_at is null`, product: sql`lead_for` },
  people: findPeople,
})

/** Returns the contacts of a lead, the primary one first, and those of the leads that were merged into it. */
async function findPeople(db: Db, lead_id: number): Promise<Candidate[]> {
  const family = withMerged(lead_id)
  const { rows } = await sql<Candidate>`select who, nullif(address, '') as address from (
      select contact_name as who, email as address, case when lead_id = ${lead_id} then 0 else 2 end as place, lead_id as id
        from leads where lead_id in ${family}
      union all select name, email, 1, id from lead_contacts where lead_id in ${family}) people
    order by place, id`.execute(db)
  return rows
}
