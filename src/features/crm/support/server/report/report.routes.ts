import { weekdays, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { withPeriod } from '#shared/report-period.ts'
import { wallTime } from '#shared/zones.ts'
import { supportReport } from '#features/crm/support/report.contract.ts'
import { findReport } from '#features/crm/support/server/report/report.queries.ts'
import type { App, Handler } from '#server/app.ts'
import { asCsv } from '#server/files/csv.ts'
import { implement } from '#server/http/implement.ts'

const todayOf = ({ zone = 'UTC' }: Viewer, now: Date): PlainDate => wallTime(now, zone).day

const showReport: Handler<typeof supportReport.show> = async ({ query }, { db, viewer, clock }) => {
  const today = todayOf(viewer, clock.now())
  return { data: await findReport(db, withPeriod(query, today), viewer, today) }
}

const exportReport: Handler<typeof supportReport.export> = async (
  { query },
  { db, viewer, clock, reply },
) => {
  const today = todayOf(viewer, clock.now())
  const { from, to, days, hours } = await findReport(db, withPeriod(query, today), viewer, today)
  return reply
    .header('Content-Disposition', `attachment; filename="support-${from}-${to}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(
      `\ufeff${asCsv([
        ['Date', 'Received', 'Answered', 'Solved', 'Reopened'],
        ...days.map(({ day, received, answered, solved, reopened }) => [
          day,
          received,
          answered,
          solved,
          reopened,
        ]),
        [],
        ['Weekday', 'Hour', 'Received'],
        ...hours.map(({ weekday, hour, received }) => [weekdays[weekday % 7], hour, received]),
      ])}`,
    )
}

export function supportReportRoutes(app: App): void {
  implement(app, supportReport.show, showReport)
  implement(app, supportReport.export, exportReport)
}
