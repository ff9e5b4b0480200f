import { can } from '#shared/access.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import { getLead, leadKind } from '#features/crm/leads/record/server/leads.queries.ts'
import { compareLeads, findOrganization, mergeLeads } from '#features/crm/leads/operations/server/merge.ts'
import { conflict, invalid, notAllowed, notFound } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { findRecords } from '#server/record/rows.ts'

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

  implement(app, leadOperations.merge, async ({ body }, context) => {
    const { db, viewer, changed } = context
    if (body.keep === body.other) throw invalid('other', 'Choose two different leads.')
    const rows = await findRecords(db, leadKind, [body.keep, body.other], viewer, { lock: true })
    if (rows.length < 2) throw notFound('Lead not found.')
    const [keep, other] = [await getLead(db, body.keep, viewer), await getLead(db, body.other, viewer)]
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

    const operation = await mergeLeads(context, { keep, other, rows, take: [...takes] })
    changed('lead-operations', [operation.id])
    return { message: 'Leads merged.', data: await getLead(db, keep.lead_id, viewer), operation }
  })
}
