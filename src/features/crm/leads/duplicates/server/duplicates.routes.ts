import { leadDuplicates } from '#features/crm/leads/duplicates/contract.ts'
import {
  findDuplicateGroups,
  markNonDuplicates,
} from '#features/crm/leads/duplicates/server/duplicates.queries.ts'
import { leadKind } from '#features/crm/leads/record/server/leads.queries.ts'
import type { App } from '#server/app.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { findRecords } from '#server/record/rows.ts'

/** Registers the endpoints for the duplicate leads of a product. */
export function leadDuplicateRoutes(app: App): void {
  implement(app, leadDuplicates.groups, ({ query: { lead_for } }, { db, viewer }) =>
    findDuplicateGroups(db, lead_for === undefined ? viewer.products : [lead_for]),
  )

  implement(app, leadDuplicates.mark, async ({ body }, { db, viewer, audit, changed }) => {
    const { lead_id, is_duplicate } = body
    const others = [...new Set(body.others)]
    if (others.includes(lead_id)) throw invalid('others', 'Choose two different leads.')
    const rows = await findRecords(db, leadKind, [lead_id, ...others], viewer, { lock: true })
    if (rows.length < others.length + 1) throw notFound('Lead not found.')
    await markNonDuplicates(db, lead_id, others, is_duplicate)
    audit({
      target: 'lead',
      id: lead_id,
      after: { [is_duplicate ? 'duplicate_of' : 'not_duplicate_of']: others },
    })
    changed('leads', [lead_id, ...others])
    return { message: is_duplicate ? 'Shown as possible duplicates again.' : 'Marked as not a duplicate.' }
  })
}
