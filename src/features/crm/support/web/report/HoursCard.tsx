import type { SupportReport } from '#features/crm/support/report.contract.ts'
import classes from '#features/crm/support/web/report/report.module.css'
import type { ReportLinks } from '#features/crm/support/web/report/reportLinks.ts'
import { DashboardCard } from '#web/dashboard/DashboardCard.tsx'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'
import { placeOf } from '#web/LocalTime.tsx'
import { CsvButton } from '#web/report/csv.tsx'
import { Count } from '#web/report/TableCard.tsx'
import { browserTimeZone } from '#web/time.ts'

const title = 'When tickets come in'
const weekdayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
/** First and last hour of each column: the night is two of them. */
const columns: readonly (readonly [first: number, last: number])[] = [
  [0, 6],
  ...Array.from({ length: 13 }, (_, index) => [index + 7, index + 7] as const),
  [20, 23],
]
const columnName = ([first, last]: readonly [number, number]) =>
  first === last ? String(first) : last === 23 ? `${first}+` : `${first}–${last}`

/** When tickets come in, by weekday and hour, as a table whose cells are darker the more there are. */
export function HoursCard({ report, links }: { report: SupportReport; links: ReportLinks }) {
  const { hours } = report
  const countOf = (weekday: number, [first, last]: readonly [number, number]) =>
    hours.reduce(
      (sum, one) =>
        one.weekday === weekday && one.hour >= first && one.hour <= last ? sum + one.received : sum,
      0,
    )
  const most = Math.max(1, ...hours.map(({ received }) => received))
  return (
    <DashboardCard
      id="when-tickets-come-in"
      title={title}
      about={placeOf(browserTimeZone())}
      action={<CsvButton table="hours" title={title} />}
    >
      <div className={classes.scroll}>
        <table className={classes.hours} aria-labelledby="when-tickets-come-in">
          <thead>
            <tr>
              <th scope="col">
                <VisuallyHidden>Weekday</VisuallyHidden>
              </th>
              {columns.map((column) => (
                <th key={column[0]} scope="col">
                  {columnName(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weekdayNames.map((name, index) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {columns.map((column) => {
                  const count = countOf(index + 1, column)
                  return (
                    <td key={column[0]} data-level={levelOf(count, most)}>
                      {count > 0 && (
                        <Count
                          count={count}
                          to={links.receivedAt(report, index + 1, column)}
                          label={`Received, ${name} ${columnName(column)}`}
                        />
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </DashboardCard>
  )
}

/** Returns how dark a cell is: 0 for none, 4 for the most. */
const levelOf = (count: number, most: number) => Math.min(4, Math.ceil((count / most) * 4))
