import { sql } from 'kysely'
import type { Lead } from '#features/crm/leads/contract.ts'
import type { MergeableField } from '#features/crm/leads/operations/rules.ts'
import type { Db } from '#server/db/db.ts'
import type { Leads } from '#server/db/tables.ts'
import type { Change } from '#server/http/audit.ts'

/*
 * Changes of many leads in a few statements, kept so that they can be put back.
 */

/** What the panel keeps by itself, and what the last look at the website found: no such change sets it, no undoing puts it back. */
type LeftAlone = 'lead_id' | 'version' | 'created_by' | 'created_at' | 'updated_at' | 'search' | 'website_up' | 'website_checked_at' | 'website_checked_url'

/**
 * The columns that such a change can set, by which a lead is put back, with the field under which a merge chooses one or the other; null: it treats both
 * in its own way (merge.ts). A new column of leads belongs here or above, or the types do not fit.
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
/** The same as a list. */
export const settableColumns = Object.keys(fieldOfColumn) as ColumnName[]
export type ColumnName = keyof typeof fieldOfColumn
/** A field that a column stands for. */
export type FieldOfColumn = NonNullable<(typeof fieldOfColumn)[ColumnName]>

/** Values of columns, as JSON holds them; tags are rows of their own, and demos are given from one lead to another. */
export type Patch = Partial<Record<ColumnName, unknown>> & { tag_ids?: number[]; demo_ids?: number[] }

/** A lead that nobody else can change until the transaction ends. */
export interface HeldLead {
  lead_id: number
  version: number
  held: Patch
}

const quoted = (names: readonly string[], table: string) => names.map((name) => `${table}."${name}"`).join(', ')

/** Takes hold of leads in the order of their ids, so that two who change many wait for each other instead of blocking each other. Those in the trash only when they are wanted. */
export async function holdLeads(
  db: Db,
  ids: readonly number[],
  { products, wanted, trashed = false }: { products: readonly number[]; wanted: readonly (keyof Patch)[]; trashed?: boolean },
): Promise<HeldLead[]> {
  const asked = wanted.filter((name): name is ColumnName => (settableColumns as readonly string[]).includes(name)).map((name) => `'${name}', l."${name}"`)
  if (wanted.includes('tag_ids')) asked.push(`'tag_ids', ${tagsOf}`)
  const { rows } = await sql<HeldLead>`select l.lead_id, l.version, jsonb_build_object(${sql.raw(asked.join(', '))}) as held from leads l
    where l.lead_id = any(${ids}::int[]) and l.lead_for = any(${products}::int[]) and l.deleted_at is ${sql.raw(trashed ? 'not null' : 'null')}
    order by l.lead_id for update of l`.execute(db)
  return rows
}

const tagsOf = `array(select t.tag_id from lead_tag_links t where t.lead_id = l.lead_id order by t.tag_id)`

/** The columns of a patch that a lead does not hold already. */
export function differing(held: Patch, patch: Patch): Patch {
  return Object.fromEntries(Object.entries(patch).filter(([name, value]) => JSON.stringify(held[name as ColumnName] ?? null) !== JSON.stringify(value ?? null)))
}

export interface LeadChanged {
  lead_id: number
  before: Patch
  after: Patch
  /** The version that the lead had. */
  version: number
}

/** Changes leads that are held, and keeps with an act what they were. Answers what became different; what did not is left alone. */
export async function changeHeld(db: Db, operation_id: number, leads: readonly HeldLead[], patchOf: (lead: HeldLead) => Patch): Promise<LeadChanged[]> {
  const changes = leads.flatMap((lead): LeadChanged[] => {
    const after = differing(lead.held, patchOf(lead))
    const names = Object.keys(after) as (keyof Patch)[]
    if (!names.length) return []
    return [{ lead_id: lead.lead_id, version: lead.version, after, before: Object.fromEntries(names.map((name) => [name, lead.held[name] ?? null])) }]
  })
  if (!changes.length) return []
  await writeLeads(
    db,
    changes.map(({ lead_id, after }) => ({ lead_id, patch: after })),
  )
  await keepChanges(
    db,
    operation_id,
    changes.map(({ lead_id, before, after, version }) => ({ lead_id, before, after, version_before: version, version_after: version + 1 })),
  )
  return changes
}

/** Writes patches into leads, each of which grows by one version. */
export async function writeLeads(db: Db, patches: readonly { lead_id: number; patch: Patch }[]): Promise<void> {
  if (!patches.length) return
  const rows = JSON.stringify(patches)
  // The record of a lead with what the patch names in its place; what it does not name stays.
  await sql`update leads l set (${sql.raw(settableColumns.map((name) => `"${name}"`).join(', '))}, version, updated_at) =
      (select ${sql.raw(quoted(settableColumns, 'n'))}, l.version + 1, now() from jsonb_populate_record(l, p.patch) n)
    from jsonb_to_recordset(${rows}::jsonb) as p(lead_id int, patch jsonb) where l.lead_id = p.lead_id`.execute(db)
  const demos = patches.flatMap(({ lead_id, patch }) => (patch.demo_ids?.length ? [{ lead_id, demo_ids: patch.demo_ids }] : []))
  if (demos.length)
    await sql`update lead_demos d set lead_id = p.lead_id from jsonb_to_recordset(${JSON.stringify(demos)}::jsonb) as p(lead_id int, demo_ids jsonb)
      where p.demo_ids @> to_jsonb(d.id)`.execute(db)
  const tagged = patches.filter(({ patch }) => patch.tag_ids)
  if (!tagged.length) return
  const links = JSON.stringify(tagged.map(({ lead_id, patch }) => ({ lead_id, tag_ids: patch.tag_ids })))
  await sql`delete from lead_tag_links where lead_id = any(${tagged.map(({ lead_id }) => lead_id)}::int[])`.execute(db)
  // A tag that was removed from the list since does not come back with a lead.
  await sql`insert into lead_tag_links (lead_id, tag_id) select p.lead_id, t.id from jsonb_to_recordset(${links}::jsonb) as p(lead_id int, tag_ids jsonb)
    join lead_tags t on p.tag_ids @> to_jsonb(t.id)`.execute(db)
}

/** Keeps with an act what leads were and became; null before for those that it entered. */
export async function keepChanges(
  db: Db,
  operation_id: number,
  changes: readonly { lead_id: number; before: Patch | null; after: Patch; version_before: number; version_after: number }[],
): Promise<void> {
  if (!changes.length) return
  await sql`insert into record_changes (operation_id, record_type, record_id, before, after, version_before, version_after)
    select ${operation_id}, 'lead', lead_id, nullif(before, 'null'), after, version_before, version_after
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c(lead_id int, before jsonb, after jsonb, version_before int, version_after int)`.execute(db)
  await sql`update operations set changed = changed + ${changes.length} where id = ${operation_id}`.execute(db)
}

/** What a change of one lead made of its columns and tags. */
export function patchesOf(was: Lead, is: Lead): { before: Patch; after: Patch } {
  const inColumns = (lead: Lead) => ({ ...lead, company_name: lead.companyName, contact_name: lead.contactName }) as Patch
  const [before, after] = [inColumns(was), inColumns(is)]
  const names = ([...settableColumns, 'tag_ids'] as const).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const only = (patch: Patch): Patch => Object.fromEntries(names.map((name) => [name, patch[name] ?? null]))
  return { before: only(before), after: only(after) }
}

/** The same for the history of each lead, under the names that travel. */
export const audited = ({ lead_id, before, after }: Pick<LeadChanged, 'lead_id' | 'before' | 'after'>): Change => ({
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
