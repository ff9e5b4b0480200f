import { plainDate } from '#shared/dates.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { openExport } from '#features/crm/leads/list/server/export.ts'
import { implement, type App } from '#server/http/implement.ts'

export function leadExportRoutes(app: App): void {
  implement(app, leadOperations.exportCsv, async ({ query }, { viewer, clock, reply }) => {
    const today = plainDate(clock.now())
    const csv = await openExport(app.pool, query, viewer, today)
    return reply
      .header('Content-Disposition', `attachment; filename="leads-${query.today ?? today}.csv"`)
      .type('text/csv; charset=utf-8')
      .send(csv)
  })
}
