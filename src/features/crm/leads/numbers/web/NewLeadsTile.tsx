import { firstOfTrend } from '#shared/trend.ts'
import { useLeadNumbers, useProductName } from '#features/crm/leads/numbers/web/useLeadNumbers.ts'
import { changeOf, TileOf } from '#web/tile/Tile.tsx'
import { useToday } from '#web/time.ts'

/** Leads of the chosen product that came in during the last 30 days. */
export function NewLeadsTile() {
  const { may, query } = useLeadNumbers()
  const today = useToday()
  const product = useProductName()
  if (!may) return null
  return (
    <TileOf name="New leads" query={query}>
      {({ created: { total, before, parts } }) => ({
        value: total,
        detail: product ? `in 30 days, ${product}` : 'in 30 days',
        change: changeOf(total, before, 'in the 30 days before', 'more'),
        series: parts,
        to: `/demo-leads?fromDate=${firstOfTrend(today)}&toDate=${today}`,
      })}
    </TileOf>
  )
}
