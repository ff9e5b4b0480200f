import type { Viewer } from '#shared/endpoint.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { isBlank, mergeableFields, type MergeableField } from '#features/crm/leads/operations/rules.ts'
import {
  changeLockedLeads,
  type FieldOfColumn,
  type LeadChanged,
  type Patch,
} from '#features/crm/leads/operations/server/lead-changes.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import type { Db } from '#server/db/db.ts'

/**
 * Returns the fields in which two leads differ, and those that the kept lead should take from the other:
 * fields that are blank in the kept lead, and a status that is further along.
 * @param statuses IDs in list order
 */
export function compareLeads(
  keep: Lead,
  other: Lead,
  statuses: readonly number[],
): { differing: MergeableField[]; suggested: MergeableField[]; better: number } {
  const differing = (mergeableFields satisfies readonly FieldOfColumn[]).filter(
    (field) => JSON.stringify(keep[field]) !== JSON.stringify(other[field]),
  )
  const isFurther = (field: MergeableField) =>
    (field === 'status' && rankOf(other.status, statuses) > rankOf(keep.status, statuses)) ||
    (field === 'demo_status' && other.demo_status > keep.demo_status)
  return {
    differing,
    suggested: differing.filter((field) => isBlank(keep[field]) || isFurther(field)),
    better: betterOf(keep, other).lead_id,
  }
}

/** Returns a rank for how far along a status is; Rejected ranks lowest. */
const rankOf = (status: number, inOrder: readonly number[]) =>
  status === rejectedStatus ? -1 : inOrder.indexOf(status)

/** Returns the lead to keep: the more complete one or, if they are equal, the older one. */
function betterOf(one: Lead, other: Lead): Lead {
  const said = (lead: Lead) => mergeableFields.filter((field) => !isBlank(lead[field])).length
  if (said(one) !== said(other)) return said(one) > said(other) ? one : other
  return one.created_at < other.created_at ||
    (one.created_at === other.created_at && one.lead_id < other.lead_id)
    ? one
    : other
}

/**
 * Merges two locked leads. The kept lead takes the chosen fields, all tags, the details that it lacks, the
 * other lead's demos and, if it has none, the other lead's organization. The other lead is moved to the trash
 * with a pointer to the kept one, through which its notes, emails, answers, and history are found.
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
    details: [
      ...keep.details,
      ...other.details.filter(({ label }) => !keep.details.some((own) => own.label === label)),
    ],
  }
  const demosOf = async ({ lead_id }: Lead) =>
    (
      await db.selectFrom('lead_demos').select('id').where('lead_id', '=', lead_id).orderBy('id').execute()
    ).map(({ id }) => id)
  const [own, others] = [await demosOf(keep), await demosOf(other)]
  if (others.length) taken.demo_ids = [...own, ...others].toSorted((a, b) => a - b)
  // Read again, because an organization created while waiting for the locks is not in the data read earlier.
  const [kept, given] = await Promise.all([keep, other].map(({ lead_id }) => findOrganization(db, lead_id)))
  const givesOrganization = given !== undefined && kept === undefined
  if (givesOrganization) taken.organization_id = given.organization_id
  const held = { ...asColumns({ ...keep }), demo_ids: own, organization_id: kept?.organization_id ?? null }
  const now = new Date().toISOString()
  // Change the other lead first, because the kept lead may take over its key.
  const gone = await changeLockedLeads(
    db,
    operation_id,
    [
      {
        lead_id: other.lead_id,
        version: other.version,
        held: {
          deleted_at: null,
          deleted_by: null,
          merged_into: null,
          demo_ids: others,
          organization_id: given?.organization_id ?? null,
        },
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
  return [
    ...gone,
    ...(await changeLockedLeads(
      db,
      operation_id,
      [{ lead_id: keep.lead_id, version: keep.version, held }],
      () => taken,
    )),
  ]
}

/** Returns the organization created from a lead. */
export function findOrganization(
  db: Db,
  lead_id: number,
): Promise<{ organization_id: number; name: string } | undefined> {
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
