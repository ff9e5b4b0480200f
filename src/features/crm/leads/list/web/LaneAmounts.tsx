import type { leadBoard } from '#features/crm/leads/board.contract.ts'
import classes from '#features/crm/leads/list/web/leadBoard.module.css'
import type { Reply } from '#shared/endpoint.ts'
import { amountText, shortAmount, shortNumber } from '#shared/money.ts'

type LeadLane = Reply<typeof leadBoard.show>['data'][number]

const most = 3
const rounded = (amount: number) => Math.round(amount * 100) / 100

/** Sums of all leads that are neither won nor rejected, by currency, the largest first. */
export function OpenAmounts({ lanes }: { lanes: readonly LeadLane[] }) {
  const sums = new Map<string, { sum: number; weighted: number }>()
  for (const { currency, sum, weighted } of lanes.flatMap((lane) => (lane.is_closed ? [] : lane.amounts))) {
    const before = sums.get(currency) ?? { sum: 0, weighted: 0 }
    sums.set(currency, {
      sum: rounded(before.sum + sum),
      weighted: rounded(before.weighted + weighted),
    })
  }
  const inOrder = [...sums].toSorted(([, one], [, other]) => other.sum - one.sum)
  const [largest, ...rest] = inOrder
  if (!largest) return null
  const [currency, { sum, weighted }] = largest
  const all = inOrder.map(
    ([code, one]) => `${amountText(one.sum, code)}, weighted ${amountText(one.weighted, code)}`,
  )
  return (
    <span className={classes.open} title={all.join('\n')}>
      Open <b>{shortAmount(sum, currency)}</b> · weighted <b>{shortAmount(weighted, currency)}</b>
      {rest.length > 0 && ` + ${currencyCount(rest.length)}`}
    </span>
  )
}

const currencyCount = (count: number) => `${count} more ${count === 1 ? 'currency' : 'currencies'}`

/** The sums of a lane's amounts, each currency in a line, and what of them is expected to be won. */
export function LaneAmounts({ lane: { name, amounts, probability } }: { lane: LeadLane }) {
  const rest = amounts.slice(most)
  return (
    <ul className={classes.amounts} aria-label={`Amounts of ${name}`}>
      {amounts.slice(0, most).map(({ currency, sum, weighted }) => (
        <li
          key={currency}
          title={`${amountText(sum, currency)}, ${amountText(weighted, currency)} at ${probability}%`}
        >
          <span>{shortAmount(sum, currency)}</span>
          <span className={classes.weighted}>weighted {shortNumber(weighted)}</span>
        </li>
      ))}
      {rest.length > 0 && (
        <li title={rest.map(({ currency, sum }) => amountText(sum, currency)).join(', ')}>
          + {currencyCount(rest.length)}
        </li>
      )}
    </ul>
  )
}
