import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { withPeriod } from '#shared/report-period.ts'
import { wallTime } from '#shared/zones.ts'
import { supportReport } from '#features/crm/support/report.contract.ts'
import { findReport } from '#features/crm/support/server/report/report.queries.ts'
import { tablesOf } from '#features/crm/support/server/report/report-tables.ts'
import type { App, Handler } from '#server/app.ts'
import { sendTables } from '#server/files/csv-tables.ts'
import { implement } from '#server/http/implement.ts'

const todayOf = ({ zone = 'UTC' }: Viewer, now: Date): PlainDate => wallTime(now, zone).day

const showReport: Handler<typeof supportReport.show> = async ({ query }, { db, viewer, clock }) => {
  const today = todayOf(viewer, clock.now())
  return { data: await findReport(db, withPeriod(query, today), { viewer, today }) }
}

const exportReport: Handler<typeof supportReport.export> = async (
  { query: { table, ...query } },
  { db, viewer, clock, reply },
) => {
  const today = todayOf(viewer, clock.now())
  const report = await findReport(db, withPeriod(query, today), { viewer, today, isWhole: true })
  return sendTables(reply, `support-${report.from}-${report.to}`, tablesOf(report), table)
}

export function supportReportRoutes(app: App): void {
  implement(app, supportReport.show, showReport)
  implement(app, supportReport.export, exportReport)
}
