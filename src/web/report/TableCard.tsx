import type { ReactNode } from 'react'
import { DashboardCard, NothingHere } from '#web/dashboard/DashboardCard.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { CsvButton } from '#web/report/csv.tsx'
import classes from '#web/report/report.module.css'

interface CardProps {
  id: string
  title: string
  about?: string
  /** Name of the table in the report's export. */
  table?: string
  /** Shown if there are no rows. */
  empty: string
  heads: readonly string[]
  rows: readonly { key: string | number; name: ReactNode; cells: readonly ReactNode[] }[]
  /** The numbers of all rows together, below them. */
  total?: readonly ReactNode[]
}

/** A card of a report with a table of numbers. */
export const TableCard = ({ id, title, about, table, empty, heads, rows, total }: CardProps) => (
  <DashboardCard
    id={id}
    title={title}
    about={about}
    action={table !== undefined && rows.length > 0 && <CsvButton table={table} title={title} />}
  >
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

interface CountOfManyProps {
  count: number
  /** The number of records that the address has. */
  records: number
  /** Name of the records. */
  of: readonly [one: string, many: string]
  to: string
  label: string
}

/** A number of which a record can have several; it leads to the records, whose number is beside it if it differs. */
export const CountOfMany = ({ count, records, of: [one, many], to, label }: CountOfManyProps) => {
  const text = records === 1 ? `1 ${one}` : `${records.toLocaleString('en-US')} ${many}`
  return (
    <>
      <Count count={count} to={to} label={`${label} (${text})`} />
      {records !== count && <Soft as="span"> {text}</Soft>}
    </>
  )
}

/** A number that leads to the records that it counts. */
export const Count = ({ count, to, label }: { count: number; to: string; label: string }) =>
  count === 0 ? (
    0
  ) : (
    <PageLink to={to} aria-label={`${count}: ${label}`}>
      {count.toLocaleString('en-US')}
    </PageLink>
  )
