import '@mantine/charts/styles.css'
import { useState } from 'react'
import { BarChart } from '@mantine/charts'
import { Link, useNavigate } from '@tanstack/react-router'
import { monthOf } from '#shared/dates.ts'
import type { LeadNumbers } from '#features/crm/leads/numbers/contract.ts'
import classes from '#features/crm/leads/numbers/web/numbers.module.css'
import { DashboardCard } from '#web/dashboard/DashboardCard.tsx'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

type Rows = LeadNumbers['by_month']

/** Number of leads created in each of the last twelve months, as a chart or as a table. */
export default function LeadsByMonth({ rows, product }: { rows: Rows; product: string | undefined }) {
  const [asTable, setAsTable] = useState(false)
  return (
    <DashboardCard
      id="by-month"
      title="New leads by month"
      total={
        <>
          {product}
          <button
            type="button"
            className={classes.switch}
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            Show as table
          </button>
        </>
      }
    >
      {asTable ? <MonthTable rows={rows} /> : <MonthChart rows={rows} />}
    </DashboardCard>
  )
}

/** Returns the filters that select a month's leads. */
function leadsOf(month: string) {
  const { first, last } = monthOf(`${month}-01`)
  return { fromDate: first, toDate: last }
}

function MonthChart({ rows }: { rows: Rows }) {
  const navigate = useNavigate()
  return (
    <div
      role="img"
      aria-label={rows.map(({ month, count }) => `${monthName(month, 'long')}: ${count}`).join(', ')}
    >
      <BarChart
        h={220}
        data={rows.map(({ month, count }) => ({ month: monthName(month, 'short'), Leads: count }))}
        dataKey="month"
        series={[{ name: 'Leads', color: 'var(--accent-line)' }]}
        gridAxis="x"
        tickLine="none"
        maxBarWidth={28}
        barProps={{
          radius: [3, 3, 0, 0],
          isAnimationActive: false,
          cursor: 'pointer',
          onClick: (_bar, index) => void navigate({ to: '/demo-leads', search: leadsOf(rows[index]!.month) }),
        }}
        barChartProps={{ accessibilityLayer: false }}
        yAxisProps={{ width: 34, allowDecimals: false }}
      />
    </div>
  )
}

function MonthTable({ rows }: { rows: Rows }) {
  return (
    <table className={classes.bars}>
      <VisuallyHidden as="thead">
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Leads</th>
        </tr>
      </VisuallyHidden>
      <tbody>
        {rows.map(({ month, count }) => (
          <tr key={month}>
            <th scope="row">
              <Link to="/demo-leads" search={leadsOf(month)}>
                {monthName(month, 'long')}
              </Link>
            </th>
            <td className={classes.number}>{count.toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Formats `2026-11` as `Nov` or `November 2026`. */
function monthName(month: string, length: 'short' | 'long'): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', {
    month: length,
    ...(length === 'long' ? { year: 'numeric' } : {}),
    timeZone: 'UTC',
  })
}
