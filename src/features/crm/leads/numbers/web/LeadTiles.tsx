import { periodText } from '#shared/trend.ts'
import { leadsCounted, mostUntouched } from '#features/crm/leads/numbers/contract.ts'
import { useLeadNumbers, useProductName } from '#features/crm/leads/numbers/web/useLeadNumbers.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { changeOf, TileOf } from '#web/tile/Tile.tsx'

const addressOf = (filters: object) => `/demo-leads?${toQueryString({ ...filters })}`

/** Leads of the chosen product that came in during the period. */
export function NewLeadsTile() {
  const { may, query, period } = useLeadNumbers()
  const product = useProductName()
  if (!may) return null
  return (
    <TileOf name="New leads" query={query}>
      {({ created: { total, before, parts } }) => ({
        value: total,
        detail: [periodText(period.id), product].filter(Boolean).join(', '),
        change: changeOf(total, before, 'before', 'more'),
        series: parts,
        to: addressOf(leadsCounted.created(period)),
      })}
    </TileOf>
  )
}

/** Leads of the chosen product that were won during the period. */
export function WonLeadsTile() {
  const { may, query, period } = useLeadNumbers()
  if (!may || query.data?.won === null) return null
  return (
    <TileOf name="Won" query={query}>
      {({ won }) => {
        const { status, total, before, parts, closed } = won!
        return {
          value: total,
          detail: `of ${closed.toLocaleString('en-US')} closed`,
          detailTo: addressOf(leadsCounted.closed(period)),
          change: changeOf(total, before, 'before', 'more'),
          series: parts,
          to: addressOf(leadsCounted.won(status, period)),
        }
      }}
    </TileOf>
  )
}

/** Open leads of the chosen product that nothing happened to in the period. */
export function UntouchedLeadsTile() {
  const { may, query, period } = useLeadNumbers()
  if (!may) return null
  return (
    <TileOf name="Untouched leads" query={query}>
      {({ untouched }) => ({
        value: untouched === mostUntouched ? `${untouched.toLocaleString('en-US')}+` : untouched,
        detail: `open, ${periodText(period.id)}`,
        to: addressOf(leadsCounted.untouched(period)),
      })}
    </TileOf>
  )
}
