import { withPeriod } from '#shared/report-period.ts'
import { wallTime } from '#shared/zones.ts'
import {
  salesReport,
  type SalesReport,
  type SalesReportFilters,
} from '#features/crm/leads/report/contract.ts'
import { findSalesReport } from '#features/crm/leads/report/server/report.ts'
import type { App, Handler } from '#server/app.ts'
import { asCsv } from '#server/files/csv.ts'
import { implement } from '#server/http/implement.ts'

type Context = Pick<Parameters<Handler<typeof salesReport.show>>[1], 'db' | 'viewer' | 'clock'>

function reportOf(query: SalesReportFilters, { db, viewer, clock }: Context): Promise<SalesReport> {
  const today = wallTime(clock.now(), viewer.zone ?? 'UTC').day
  return findSalesReport(db, withPeriod(query, today), viewer, today)
}

export function salesReportRoutes(app: App): void {
  implement(app, salesReport.show, async ({ query }, context) => ({ data: await reportOf(query, context) }))
  implement(app, salesReport.export, async ({ query }, context) => {
    const { from, to, days } = await reportOf(query, context)
    return context.reply
      .header('Content-Disposition', `attachment; filename="sales-${from}-${to}.csv"`)
      .type('text/csv; charset=utf-8')
      .send(
        `\ufeff${asCsv([
          ['Date', 'Received', 'Contacted', 'Demos', 'Won', 'Lost'],
          ...days.map(({ day, received, contacted, demos, won, lost }) => [
            day,
            received,
            contacted,
            demos,
            won,
            lost,
          ]),
        ])}`,
      )
  })
}
