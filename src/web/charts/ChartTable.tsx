import type { ChartData } from '#web/charts/charts.tsx'
import classes from '#web/charts/charts.module.css'
import { PageLink } from '#web/parts/PageLink.tsx'

interface Props {
  title: string
  data: ChartData
}

/** The numbers of a chart, each with a link to the records that it counts. */
export const ChartTable = ({ title, data: { unit, points, series, addressOf } }: Props) => (
  <div className={classes.scroll}>
    <table className={classes.table} aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{unit}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map(({ fullName, values }, point) => (
          <tr key={fullName}>
            <th scope="row">{fullName}</th>
            {values.map((value, index) => (
              <td key={series[index]!.name}>
                <Value
                  value={value}
                  to={addressOf?.(point, index)}
                  label={`${series[index]!.name}, ${fullName}`}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function Value({ value, to, label }: { value: number; to: string | undefined; label: string }) {
  const text = value.toLocaleString('en-US')
  return to === undefined || value === 0 ? (
    text
  ) : (
    <PageLink to={to} aria-label={`${text}: ${label}`}>
      {text}
    </PageLink>
  )
}
