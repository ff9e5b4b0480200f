import { numberText } from '#shared/money.ts'
import type { SalesReport } from '#features/crm/leads/report/contract.ts'
import { rateOf } from '#features/crm/leads/report/rules.ts'
import type { SalesLinks } from '#features/crm/leads/report/web/salesLinks.ts'
import { changeOf, Tile, TileGroup } from '#web/tile/Tile.tsx'

interface Props {
  report: SalesReport
  currency: string | undefined
  /** With what the numbers are compared, where the page doesn't say it. */
  than?: string
  links: SalesLinks
}

const amountWords = { more: 'more', less: 'less', amount: numberText }

/** The numbers of the period, with how they differ from those of another period. */
export function SalesTiles({ report, currency, than, links }: Props) {
  const { received, contacted, contacted_in_a_day, demos, won, lost, days, currencies } = report
  const change = ({ count, before }: SalesReport['received'], better?: 'more' | 'less') =>
    before === null ? undefined : changeOf(count, before, than, better)
  const amounts = currencies.find((one) => one.currency === currency)
  const fast = rateOf(contacted_in_a_day, contacted.count)
  return (
    <TileGroup>
      <Tile
        name="Came in"
        value={received.count}
        change={change(received, 'more')}
        series={days.map((day) => day.received)}
        to={links.received(report)}
      />
      <Tile
        name="Contacted"
        value={contacted.count}
        detail={`${contacted_in_a_day.toLocaleString('en-US')} within a day${fast === undefined ? '' : `, ${fast}%`}`}
        detailTo={links.event('contacted_in_a_day', report)}
        change={change(contacted, 'more')}
        to={links.event('contacted', report)}
      />
      <Tile
        name="Demos"
        value={demos.count}
        change={change(demos, 'more')}
        to={links.event('demo', report)}
      />
      {won.status !== null && (
        <Tile
          name="Won"
          value={won.count}
          detail={`of ${(won.count + lost.count).toLocaleString('en-US')} closed`}
          change={change(won, 'more')}
          to={links.event('reached', report, { status: won.status })}
        />
      )}
      {amounts && (
        <>
          <Tile
            name="Amount won"
            value={numberText(amounts.won.sum)}
            detail={amounts.currency}
            change={
              amounts.won.before === null
                ? undefined
                : changeOf(amounts.won.sum, amounts.won.before, than, 'more', amountWords)
            }
            to={links.won(report, won.status, amounts.currency)}
          />
          <Tile
            name="Open, weighted"
            value={numberText(amounts.open.weighted)}
            detail={`of ${numberText(amounts.open.sum)} ${amounts.currency} now`}
            to={links.open(amounts.currency)}
          />
        </>
      )}
    </TileGroup>
  )
}
