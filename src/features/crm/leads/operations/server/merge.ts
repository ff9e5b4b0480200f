import type { Viewer } from '#shared/endpoint.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { isBlank, mergeableFields, type MergeableField } from '#features/crm/leads/operations/rules.ts'
import { changeHeld, type FieldOfColumn, type LeadChanged, type Patch } from '#features/crm/leads/operations/server/lead-changes.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import type { Db } from '#server/db/db.ts'

/**
 * The fields in which two leads differ, and those that the kept one should take: what is blank in it, and the status that is further on its way.
 * @param statuses ids in the order of the list
 */
export function compareLeads(
  keep: Lead,
  other: Lead,
  statuses: readonly number[],
): { differing: MergeableField[]; suggested: MergeableField[]; better: number } {
  const differing = (mergeableFields satisfies readonly FieldOfColumn[]).filter((field) => JSON.stringify(keep[field]) !== JSON.stringify(other[field]))
  const isFurther = (field: MergeableField) =>
    (field === 'status' && rankOf(other.status, statuses) > rankOf(keep.status, statuses)) || (field === 'demo_status' && other.demo_status > keep.demo_status)
  return { differing, suggested: differing.filter((field) => isBlank(keep[field]) || isFurther(field)), better: betterOf(keep, other).lead_id }
}

/** How far a status is on its way; a rejection is the end of none. */
const rankOf = (status: number, inOrder: readonly number[]) => (status === rejectedStatus ? -1 : inOrder.indexOf(status))

/** The lead that should stay: the one that says more, of equals the older. */
function betterOf(one: Lead, other: Lead): Lead {
  const said = (lead: Lead) => mergeableFields.filter((field) => !isBlank(lead[field])).length
  if (said(one) !== said(other)) return said(one) > said(other) ? one : other
  return one.created_at < other.created_at || (one.created_at === other.created_at && one.lead_id < other.lead_id) ? one : other
}

/**
 * Makes one lead of two that are held: the kept one takes the chosen fields, all tags, and the details that it lacks;
 * the other gives it its demos and, where it has none, its organization, goes to the trash and says where it went,
 * by which its notes, mails, answers and history are found.
 */
export async function mergeLeads(
  db: Db,
  operation_id: number,
  keep: Lead,
  other: Lead,
  take: readonly MergeableField[],
  viewer: Viewer,
): Promise<LeadChanged[]> {
  const taken: Patch = {
    ...asColumns(Object.fromEntries(take.map((field) => [field, other[field]]))),
    ...(take.includes('status') ? { reject_msg: other.reject_msg } : {}),
    tag_ids: [...new Set([...keep.tag_ids, ...other.tag_ids])].toSorted((a, b) => a - b),
    details: [...keep.details, ...other.details.filter(({ label }) => !keep.details.some((own) => own.label === label))],
  }
  const demosOf = async ({ lead_id }: Lead) =>
    (await db.selectFrom('lead_demos').select('id').where('lead_id', '=', lead_id).orderBy('id').execute()).map(({ id }) => id)
  const [own, others] = [await demosOf(keep), await demosOf(other)]
  if (others.length) taken.demo_ids = [...own, ...others].toSorted((a, b) => a - b)
  // Asked anew: an organization that was made while these leads were waited for is not in what was read of them.
  const [kept, given] = await Promise.all([keep, other].map(({ lead_id }) => findOrganization(db, lead_id)))
  const givesOrganization = given !== undefined && kept === undefined
  if (givesOrganization) taken.organization_id = given.organization_id
  const held = { ...asColumns({ ...keep }), demo_ids: own, organization_id: kept?.organization_id ?? null }
  const now = new Date().toISOString()
  // First the other one: its key may be taken over.
  const gone = await changeHeld(
    db,
    operation_id,
    [
      {
        lead_id: other.lead_id,
        version: other.version,
        held: { deleted_at: null, deleted_by: null, merged_into: null, demo_ids: others, organization_id: given?.organization_id ?? null },
      },
    ],
    () => ({
      deleted_at: now,
      deleted_by: viewer.id,
      merged_into: keep.lead_id,
      demo_ids: [],
      ...(givesOrganization ? { organization_id: null } : {}),
    }),
  )
  return [...gone, ...(await changeHeld(db, operation_id, [{ lead_id: keep.lead_id, version: keep.version, held }], () => taken))]
}

/** The organization that was made of a lead. */
export function findOrganization(db: Db, lead_id: number): Promise<{ organization_id: number; name: string } | undefined> {
  return db
    .selectFrom('leads as l')
    .innerJoin('organizations as o', 'o.organization_id', 'l.organization_id')
    .select(['o.organization_id', 'o.name'])
    .where('l.lead_id', '=', lead_id)
    .where('o.deleted_at', 'is', null)
    .executeTakeFirst()
}

function asColumns({ companyName, contactName, ...rest }: Partial<Lead>): Patch {
  return {
    ...rest,
    ...(companyName === undefined ? {} : { company_name: companyName }),
    ...(contactName === undefined ? {} : { contact_name: contactName }),
  }
}
