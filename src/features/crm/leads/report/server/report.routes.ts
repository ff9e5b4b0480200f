import { withPeriod } from '#shared/report-period.ts'
import { wallTime } from '#shared/zones.ts'
import {
  salesReport,
  type SalesReport,
  type SalesReportFilters,
} from '#features/crm/leads/report/contract.ts'
import { tablesOf } from '#features/crm/leads/report/server/report-tables.ts'
import { findSalesCohort, findSalesReport } from '#features/crm/leads/report/server/report.ts'
import type { App, Handler } from '#server/app.ts'
import { sendTables } from '#server/files/csv-tables.ts'
import { implement } from '#server/http/implement.ts'

type Context = Pick<Parameters<Handler<typeof salesReport.show>>[1], 'db' | 'viewer' | 'clock'>

const todayOf = ({ viewer, clock }: Context) => wallTime(clock.now(), viewer.zone ?? 'UTC').day

function reportOf(query: SalesReportFilters, context: Context): Promise<SalesReport> {
  const today = todayOf(context)
  return findSalesReport(context.db, withPeriod(query, today), context.viewer, today)
}

const cohortOf = (query: SalesReportFilters, context: Context) =>
  findSalesCohort(context.db, withPeriod(query, todayOf(context)), context.viewer)

export function salesReportRoutes(app: App): void {
  implement(app, salesReport.show, async ({ query }, context) => ({ data: await reportOf(query, context) }))
  implement(app, salesReport.cohort, async ({ query }, context) => ({ data: await cohortOf(query, context) }))
  implement(app, salesReport.export, async ({ query: { table, ...query } }, context) => {
    const [report, cohort] = [await reportOf(query, context), await cohortOf(query, context)]
    return sendTables(context.reply, `sales-${report.from}-${report.to}`, tablesOf(report, cohort), table)
  })
}
