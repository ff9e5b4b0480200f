import type { ReactNode } from 'react'
import { DashboardCard, NothingHere } from '#web/dashboard/DashboardCard.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import classes from '#web/report/report.module.css'

interface CardProps {
  id: string
  title: string
  about?: string
  /** Shown if there are no rows. */
  empty: string
  heads: readonly string[]
  rows: readonly { key: string | number; name: ReactNode; cells: readonly ReactNode[] }[]
  /** The numbers of all rows together, below them. */
  total?: readonly ReactNode[]
}

/** A card of a report with a table of numbers. */
export const TableCard = ({ id, title, about, empty, heads, rows, total }: CardProps) => (
  <DashboardCard id={id} title={title} about={about}>
    {rows.length === 0 ? (
      <NothingHere>{empty}</NothingHere>
    ) : (
      <div className={classes.scroll}>
        <table className={classes.numbers} aria-labelledby={id}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, cells }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {cells.map((cell, index) => (
                  <td key={heads[index + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
          {total && (
            <tfoot>
              <tr>
                <th scope="row">All</th>
                {total.map((cell, index) => (
                  <td key={heads[index + 1]}>{cell}</td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    )}
  </DashboardCard>
)

/** A number that leads to the records that it counts. */
export const Count = ({ count, to, label }: { count: number; to: string; label: string }) =>
  count === 0 ? (
    0
  ) : (
    <PageLink to={to} aria-label={`${count}: ${label}`}>
      {count.toLocaleString('en-US')}
    </PageLink>
  )
