import { plainDate } from '#shared/dates.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { columns, exportQuery } from '#features/crm/leads/list/server/export.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { replyCsv } from '#server/record/list.ts'

export function leadExportRoutes(app: App): void {
  implement(app, leadOperations.exportCsv, ({ query }, { viewer, clock, reply }) => {
    const today = query.today ?? plainDate(clock.now())
    return replyCsv(app.pool, reply, `leads-${today}.csv`, exportQuery(query, viewer, today), columns)
  })
}
