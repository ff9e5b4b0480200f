import type { OperationRef } from '#shared/record.contract.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { rightOf } from '#features/crm/leads/operations.contract.ts'
import { mergeableFields, type MergeableField } from '#features/crm/leads/fields.ts'
import { contactWords } from '#features/crm/leads/contacts/rules.ts'
import { partsOfContacts } from '#features/crm/leads/contacts/server/contacts.queries.ts'
import { isContactChoice, mergeContacts } from '#features/crm/leads/operations/server/merge-contacts.ts'
import { isBlank } from '#features/crm/leads/operations.rules.ts'
import { leadKind } from '#features/crm/leads/record/server/leads.queries.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import type { Db } from '#server/db/db.ts'
import { beginOperation, referenceOf } from '#server/record/operations.ts'
import { storePartChanges, trackParts } from '#server/record/parts.ts'
import { applyChanges } from '#server/record/record.ts'
import type { Row, StoredOf, Writing } from '#server/record/rows.ts'
import { toColumns } from '#server/record/values.ts'

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
  const differing = mergeableFields.filter((field) =>
    field === 'contactName'
      ? isContactChoice(keep, other)
      : JSON.stringify(keep[field]) !== JSON.stringify(other[field]) ||
        (field === 'amount' && keep.currency !== other.currency),
  )
  const isFurther = (field: MergeableField) =>
    (field === 'status' && rankOf(other.status, statuses) > rankOf(keep.status, statuses)) ||
    (field === 'demo_status' && other.demo_status > keep.demo_status)
  return {
    differing,
    suggested: differing.filter(
      (field) => field !== 'contactName' && (isBlank(keep[field]) || isFurther(field)),
    ),
    better: betterOf(keep, other).lead_id,
  }
}

/** Returns a rank for how far along a status is; Rejected ranks lowest. */
const rankOf = (status: number, inOrder: readonly number[]) =>
  status === rejectedStatus ? -1 : inOrder.indexOf(status)

/** Returns the lead to keep: the more complete one or, if they are equal, the older one. */
function betterOf(one: Lead, other: Lead): Lead {
  const fields = [...mergeableFields, 'email', 'phone'] as const
  const said = (lead: Lead) => fields.filter((field) => !isBlank(lead[field])).length
  if (said(one) !== said(other)) return said(one) > said(other) ? one : other
  return one.created_at < other.created_at ||
    (one.created_at === other.created_at && one.lead_id < other.lead_id)
    ? one
    : other
}

interface Merged {
  keep: Lead
  other: Lead
  /** The same leads as records that are locked. */
  rows: readonly StoredOf<typeof leadKind>[]
  /** Fields for which the other lead's value is taken. */
  take: readonly MergeableField[]
}

/**
 * Merges two locked leads as one operation. The kept lead takes the chosen fields, all tags, the details
 * and custom values that it lacks, the other lead's demos and contacts and, if it has none, the other lead's organization. The other lead is
 * moved to the trash with a pointer to the kept one, through which its notes, calls, emails, answers, and
 * history are found.
 */
export async function mergeLeads(
  context: Writing,
  { keep, other, rows, take }: Merged,
): Promise<OperationRef> {
  const { db, viewer, called, audit } = context
  const rowOf = ({ lead_id }: Lead) => rows.find(({ id }) => id === lead_id)!
  const [kept, gone] = [rowOf(keep), rowOf(other)]
  const parts = [partsOfContacts(keep.lead_id, other.lead_id)]
  const { result: contacts, changes } = await trackParts(db, parts, () =>
    mergeContacts(db, keep, other, take.includes('contactName')),
  )
  const taken: Row = {
    ...toColumns(leadKind, Object.fromEntries(take.map((field) => [field, other[field]]))),
    ...(take.includes('status')
      ? { reject_msg: other.reject_msg, reject_reason_id: other.reject_reason_id }
      : {}),
    ...(take.includes('amount') ? { currency: other.currency } : {}),
    ...contacts.primary,
    custom_values: { ...other.custom_values, ...keep.custom_values },
    tag_ids: [...keep.tag_ids, ...other.tag_ids],
    details: [
      ...keep.details,
      ...other.details.filter(({ label }) => !keep.details.some((own) => own.label === label)),
    ],
    demo_ids: [...kept.demo_ids, ...gone.demo_ids],
  }
  const [own, given] = await Promise.all([keep, other].map(({ lead_id }) => findOrganization(db, lead_id)))
  const givesOrganization = given !== undefined && own === undefined
  if (givesOrganization) taken['organization_id'] = given.organization_id
  const act = { kind: 'merge', summary: 'Merged' }
  const within = await beginOperation(db, {
    ...act,
    type: leadKind.type,
    staff_id: viewer.id,
    needs: rightOf.merge,
    called,
  })
  const left = {
    deleted_at: new Date().toISOString(),
    deleted_by: viewer.id,
    merged_into: keep.lead_id,
    demo_ids: [],
    ...(givesOrganization ? { organization_id: null } : {}),
  }
  // Change the other lead first, because the kept lead may take over its key.
  await applyChanges(context, leadKind, [gone], () => left, { ...act, within })
  await applyChanges(context, leadKind, [kept], () => taken, { ...act, within })
  if (changes.length > 0)
    await storePartChanges(db, within, { type: leadKind.type, id: keep.lead_id }, changes)
  for (const person of contacts.added)
    audit({ target: leadKind.type, id: keep.lead_id, after: { contact: contactWords(person) } })
  return referenceOf(db, within)
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
