import { sql } from 'kysely'
import type { Lead } from '#features/crm/leads/contract.ts'
import type { MergeableField } from '#features/crm/leads/operations/rules.ts'
import type { Db } from '#server/db/db.ts'
import type { Leads } from '#server/db/tables.ts'
import type { Change } from '#server/http/audit.ts'

/* Changes many leads in a few statements and records them so that they can be undone. */

/**
 * Columns that the panel maintains, and the result of the website check. Bulk changes never set these
 * columns, and undo never restores them.
 */
type LeftAlone =
  | 'lead_id'
  | 'version'
  | 'created_by'
  | 'created_at'
  | 'updated_at'
  | 'search'
  | 'website_up'
  | 'website_checked_at'
  | 'website_checked_url'

/**
 * The columns that bulk changes can set and that undo restores, each mapped to the field whose value is
 * chosen in a merge. Null means that a merge handles the column separately (merge.ts). New lead columns must
 * be added here or above; otherwise, type checking fails.
 */
const fieldOfColumn = {
  company_name: 'companyName',
  contact_name: 'contactName',
  phone: 'phone',
  email: 'email',
  country: 'country',
  timezone: 'timezone',
  lead_for: 'lead_for',
  services: 'services',
  answer: 'answer',
  join: 'join',
  company_url: 'company_url',
  hear_about: 'hear_about',
  implement_date: 'implement_date',
  additional_info: 'additional_info',
  cog_types: 'cog_types',
  assign_to: 'assign_to',
  lead_type: 'lead_type',
  color: 'color',
  status: 'status',
  reject_msg: null,
  demo_status: 'demo_status',
  lead_date: 'lead_date',
  request_date: 'request_date',
  followup_date: 'followup_date',
  reference: 'reference',
  details: null,
  deleted_at: null,
  deleted_by: null,
  merged_into: null,
  organization_id: null,
} as const satisfies Record<Exclude<keyof Leads, LeftAlone>, MergeableField | null>
/** The settable columns as a list. */
export const settableColumns = Object.keys(fieldOfColumn) as ColumnName[]
export type ColumnName = keyof typeof fieldOfColumn
/** A field that is stored in a column. */
export type FieldOfColumn = NonNullable<(typeof fieldOfColumn)[ColumnName]>

/** Column values as JSON. Tags are stored in separate rows, and demos can move from one lead to another. */
export type Patch = Partial<Record<ColumnName, unknown>> & { tag_ids?: number[]; demo_ids?: number[] }

/** A lead that stays locked until the transaction ends. */
export interface LockedLead {
  lead_id: number
  version: number
  held: Patch
}

const quoted = (names: readonly string[], table: string) =>
  names.map((name) => `${table}."${name}"`).join(', ')

/**
 * Locks leads in ID order, so that concurrent bulk changes wait instead of deadlocking. With `trashed`, locks
 * leads in the trash.
 */
export async function lockLeads(
  db: Db,
  ids: readonly number[],
  {
    products,
    wanted,
    trashed = false,
  }: { products: readonly number[]; wanted: readonly (keyof Patch)[]; trashed?: boolean },
): Promise<LockedLead[]> {
  const asked = wanted
    .filter((name): name is ColumnName => (settableColumns as readonly string[]).includes(name))
    .map((name) => `'${name}', l."${name}"`)
  if (wanted.includes('tag_ids')) asked.push(`'tag_ids', ${tagsOf}`)
  const { rows } =
    await sql<LockedLead>`select l.lead_id, l.version, jsonb_build_object(${sql.raw(asked.join(', '))}) as held from leads l
    where l.lead_id = any(${ids}::int[]) and l.lead_for = any(${products}::int[]) and l.deleted_at is ${sql.raw(trashed ? 'not null' : 'null')}
    order by l.lead_id for update of l`.execute(db)
  return rows
}

const tagsOf = `array(select t.tag_id from lead_tag_links t where t.lead_id = l.lead_id order by t.tag_id)`

/** Returns the columns of a patch whose values differ from the lead's. */
export function differing(held: Patch, patch: Patch): Patch {
  return Object.fromEntries(
    Object.entries(patch).filter(
      ([name, value]) => JSON.stringify(held[name as ColumnName] ?? null) !== JSON.stringify(value ?? null),
    ),
  )
}

export interface LeadChanged {
  lead_id: number
  before: Patch
  after: Patch
  /** The lead's version before the change. */
  version: number
}

/**
 * Changes locked leads and records their old values with an operation. Returns the changes; leads that
 * already have the values are skipped.
 */
export async function changeLockedLeads(
  db: Db,
  operation_id: number,
  leads: readonly LockedLead[],
  patchOf: (lead: LockedLead) => Patch,
): Promise<LeadChanged[]> {
  const changes = leads.flatMap((lead): LeadChanged[] => {
    const after = differing(lead.held, patchOf(lead))
    const names = Object.keys(after) as (keyof Patch)[]
    if (!names.length) return []
    return [
      {
        lead_id: lead.lead_id,
        version: lead.version,
        after,
        before: Object.fromEntries(names.map((name) => [name, lead.held[name] ?? null])),
      },
    ]
  })
  if (!changes.length) return []
  await writeLeads(
    db,
    changes.map(({ lead_id, after }) => ({ lead_id, patch: after })),
  )
  await recordChanges(
    db,
    operation_id,
    changes.map(({ lead_id, before, after, version }) => ({
      lead_id,
      before,
      after,
      version_before: version,
      version_after: version + 1,
    })),
  )
  return changes
}

/** Writes patches to leads and increments their versions. */
export async function writeLeads(
  db: Db,
  patches: readonly { lead_id: number; patch: Patch }[],
): Promise<void> {
  if (!patches.length) return
  const rows = JSON.stringify(patches)
  // Builds the lead's row with the patch applied; other columns keep their values.
  await sql`update leads l set (${sql.raw(settableColumns.map((name) => `"${name}"`).join(', '))}, version, updated_at) =
      (select ${sql.raw(quoted(settableColumns, 'n'))}, l.version + 1, now() from jsonb_populate_record(l, p.patch) n)
    from jsonb_to_recordset(${rows}::jsonb) as p(lead_id int, patch jsonb) where l.lead_id = p.lead_id`.execute(
    db,
  )
  const demos = patches.flatMap(({ lead_id, patch }) =>
    patch.demo_ids?.length ? [{ lead_id, demo_ids: patch.demo_ids }] : [],
  )
  if (demos.length)
    await sql`update lead_demos d set lead_id = p.lead_id from jsonb_to_recordset(${JSON.stringify(demos)}::jsonb) as p(lead_id int, demo_ids jsonb)
      where p.demo_ids @> to_jsonb(d.id)`.execute(db)
  const tagged = patches.filter(({ patch }) => patch.tag_ids)
  if (!tagged.length) return
  const links = JSON.stringify(tagged.map(({ lead_id, patch }) => ({ lead_id, tag_ids: patch.tag_ids })))
  await sql`delete from lead_tag_links where lead_id = any(${tagged.map(({ lead_id }) => lead_id)}::int[])`.execute(
    db,
  )
  // Tags that have since been removed from the list are not restored.
  await sql`insert into lead_tag_links (lead_id, tag_id) select p.lead_id, t.id from jsonb_to_recordset(${links}::jsonb) as p(lead_id int, tag_ids jsonb)
    join lead_tags t on p.tag_ids @> to_jsonb(t.id)`.execute(db)
}

/**
 * Records the old and new values of leads with an operation; `before` is null for leads that the operation
 * created.
 */
export async function recordChanges(
  db: Db,
  operation_id: number,
  changes: readonly {
    lead_id: number
    before: Patch | null
    after: Patch
    version_before: number
    version_after: number
  }[],
): Promise<void> {
  if (!changes.length) return
  await sql`insert into record_changes (operation_id, record_type, record_id, before, after, version_before, version_after)
    select ${operation_id}, 'lead', lead_id, nullif(before, 'null'), after, version_before, version_after
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c(lead_id int, before jsonb, after jsonb, version_before int, version_after int)`.execute(
    db,
  )
  await sql`update operations set changed = changed + ${changes.length} where id = ${operation_id}`.execute(
    db,
  )
}

/** Returns the columns and tags in which two states of a lead differ. */
export function patchesOf(was: Lead, is: Lead): { before: Patch; after: Patch } {
  const inColumns = (lead: Lead) =>
    ({ ...lead, company_name: lead.companyName, contact_name: lead.contactName }) as Patch
  const [before, after] = [inColumns(was), inColumns(is)]
  const names = ([...settableColumns, 'tag_ids'] as const).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const only = (patch: Patch): Patch => Object.fromEntries(names.map((name) => [name, patch[name] ?? null]))
  return { before: only(before), after: only(after) }
}

/** Returns a change for the lead's history, using the API's field names. */
export const audited = ({
  lead_id,
  before,
  after,
}: Pick<LeadChanged, 'lead_id' | 'before' | 'after'>): Change => ({
  target: 'lead',
  id: lead_id,
  before: onTheWire(before),
  after: onTheWire(after),
})

function onTheWire({ company_name, contact_name, deleted_at, deleted_by: _, ...rest }: Patch): object {
  return {
    ...rest,
    ...(company_name === undefined ? {} : { companyName: company_name }),
    ...(contact_name === undefined ? {} : { contactName: contact_name }),
    ...(deleted_at === undefined ? {} : { in_trash: deleted_at !== null }),
  }
}
