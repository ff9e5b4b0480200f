import { can } from '#shared/access.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import { audited } from '#features/crm/leads/operations/server/lead-changes.ts'
import { getLead, lockLead } from '#features/crm/leads/record/server/leads.queries.ts'
import { compareLeads, findOrganization, mergeLeads } from '#features/crm/leads/operations/server/merge.ts'
import { beginOperation, getReference } from '#features/crm/leads/operations/server/operations.queries.ts'
import { conflict, invalid, notAllowed } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'

export function leadMergeRoutes(app: App): void {
  implement(app, leadOperations.mergePreview, async ({ query }, { db, viewer }) => {
    if (query.keep === query.other) throw invalid('other', 'Choose two different leads.')
    const [keep, other] = await Promise.all([
      getLead(db, query.keep, viewer),
      getLead(db, query.other, viewer),
    ])
    const [kept, given] = await Promise.all([
      findOrganization(db, keep.lead_id),
      findOrganization(db, other.lead_id),
    ])
    const statuses = await db.selectFrom('lead_statuses').select('id').orderBy('position').execute()
    const compared = compareLeads(
      keep,
      other,
      statuses.map(({ id }) => id),
    )
    return { keep, other, ...compared, organizations: { keep: kept ?? null, other: given ?? null } }
  })

  implement(app, leadOperations.merge, async ({ body }, { db, viewer, record, changed }) => {
    if (body.keep === body.other) throw invalid('other', 'Choose two different leads.')
    // Lock in ID order, like all other code that locks leads.
    const [first, second] = [Math.min(body.keep, body.other), Math.max(body.keep, body.other)]
    const held = [await lockLead(db, first, viewer), await lockLead(db, second, viewer)]
    const [keep, other] = body.keep === first ? [held[0]!, held[1]!] : [held[1]!, held[0]!]
    if (keep.version !== body.keep_version)
      throw conflict(
        'Someone changed the lead you’re keeping while you were comparing. Review the changes and merge again.',
        keep,
      )
    if (other.version !== body.other_version)
      throw conflict(
        'Someone changed the other lead while you were comparing. Review the changes and merge again.',
        other,
      )
    const takes = new Set(body.take)
    if (takes.has('color') && keep.color !== other.color && !can(viewer, 'lead_select_pripority'))
      throw notAllowed('You don’t have permission to set a lead’s priority.')
    if (
      takes.has('status') &&
      other.status === rejectedStatus &&
      keep.status !== rejectedStatus &&
      !can(viewer, 'lead_reject')
    )
      throw notAllowed('You don’t have permission to reject leads.')

    const id = await beginOperation(db, { kind: 'merge', staff_id: viewer.id, summary: 'Merged' })
    const changes = await mergeLeads(db, id, keep, other, [...takes], viewer)
    for (const change of changes) record(audited(change))
    changed('leads', [keep.lead_id, other.lead_id], [keep.lead_for, other.lead_for])
    changed('lead-operations', [id])
    const operation = { ...(await getReference(db, id)), summary: 'Merged: 2 leads' }
    return { message: 'Leads merged.', data: await getLead(db, keep.lead_id, viewer), operation }
  })
}
