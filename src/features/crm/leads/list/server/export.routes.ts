import { plainDate } from '#shared/dates.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { findFields } from '#features/crm/leads/custom-fields/server/custom-fields.queries.ts'
import { columnsWith, exportQuery } from '#features/crm/leads/list/server/export.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { replyCsv } from '#server/record/list.ts'

export function leadExportRoutes(app: App): void {
  implement(app, leadOperations.exportCsv, async ({ query }, { db, viewer, clock, reply }) => {
    const today = query.today ?? plainDate(clock.now())
    const products = query.lead_for === undefined ? viewer.products : [query.lead_for]
    const columns = columnsWith(await findFields(db, products))
    return replyCsv(app.pool, reply, `leads-${today}.csv`, exportQuery(query, viewer, today), columns)
  })
}
