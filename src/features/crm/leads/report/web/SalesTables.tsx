import { numberText } from '#shared/money.ts'
import type { SalesReport, SalesTable } from '#features/crm/leads/report/contract.ts'
import { rateOf } from '#features/crm/leads/report/rules.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import classes from '#features/crm/leads/report/web/sales.module.css'
import type { SalesLinks } from '#features/crm/leads/report/web/salesLinks.ts'
import { Count, TableCard } from '#web/report/TableCard.tsx'
import { durationText } from '#web/report/durations.ts'
import { toneColor } from '#web/theme.ts'

const noLeads = 'No leads in this period.'
const percentText = (rate: number | undefined) => (rate === undefined ? '' : `${rate}%`)
const durationOf = (seconds: number | null) => (seconds === null ? '' : durationText(seconds))

interface Props {
  report: SalesReport
  links: SalesLinks
}

/** How many leads reached each status of the pipeline, and how long they had it. */
export function Funnel({ report, links }: Props) {
  const steps = report.statuses.filter(({ status }) => status !== rejectedStatus)
  const most = Math.max(1, ...steps.map(({ reached }) => reached))
  return (
    <TableCard
      id="funnel"
      title="Funnel by events"
      about="all leads that reached each status in this period, whenever they came in"
      table="funnel"
      empty={noLeads}
      heads={['Status', 'Reached', 'Of previous', 'Before', 'Time in status', '90% within', 'Now']}
      rows={steps.map(({ status, name, tone, reached, before, median, p90, now }, index) => {
        const last = steps[index - 1]
        return {
          key: status,
          name,
          cells: [
            <span key="reached" className={classes.reached}>
              <span
                className={classes.bar}
                style={{ width: `${(reached / most) * 100}%`, background: toneColor(tone) }}
              />
              <Count
                count={reached}
                to={links.event('reached', report, { status })}
                label={`Reached, ${name}`}
              />
            </span>,
            last && percentText(rateOf(reached, last.reached)),
            last && before !== null && last.before !== null && percentText(rateOf(before, last.before)),
            durationOf(median),
            durationOf(p90),
            <Count key="now" count={now} to={links.now(status)} label={`Now, ${name}`} />,
          ],
        }
      })}
    />
  )
}

type Numbers = Pick<SalesReport['sources'][number], 'received' | 'demos' | 'won' | 'lost' | 'amounts'>

interface GroupsProps extends Props {
  id: string
  title: string
  about?: string
  table: SalesTable
  currency: string | undefined
  rows: readonly (SalesReport['sources'][number] & { key: string | number; links: SalesLinks })[]
}

/** Numbers by assignee or source and of all together, with the amounts in one currency. */
export function GroupsCard({ id, title, about, table, report, links, currency, rows }: GroupsProps) {
  const cellsOf = (name: string, { received, demos, won, lost, amounts }: Numbers, to: SalesLinks) => {
    const own = amounts.find((one) => one.currency === currency)
    const label = (what: string) => `${what}, ${name}`
    return [
      <Count key="received" count={received} to={to.received(report)} label={label('Came in')} />,
      <Count key="demos" count={demos} to={to.event('demo', report)} label={label('Demos')} />,
      <Count
        key="won"
        count={won}
        to={to.event('reached', report, { status: report.won.status })}
        label={label('Won')}
      />,
      <Count
        key="lost"
        count={lost}
        to={to.event('reached', report, { status: rejectedStatus })}
        label={label('Lost')}
      />,
      percentText(rateOf(won, won + lost)),
      ...(currency ? [own ? numberText(own.sum) : 0] : []),
    ]
  }
  const all: Numbers = {
    received: report.received.count,
    demos: report.demos.count,
    won: report.won.count,
    lost: report.lost.count,
    amounts: report.currencies.map((one) => ({ currency: one.currency, ...one.won })),
  }
  return (
    <TableCard
      id={id}
      title={title}
      {...(about === undefined ? {} : { about })}
      table={table}
      empty={noLeads}
      heads={['Name', 'Came in', 'Demos', 'Won', 'Lost', 'Win rate', ...(currency ? [currency] : [])]}
      rows={rows.map(({ key, name, ...numbers }) => ({
        key,
        name,
        cells: cellsOf(name ?? '', numbers, numbers.links),
      }))}
      total={cellsOf('all', all, links)}
    />
  )
}

/** Won and open amounts by currency, which are never added; nothing for a single currency, which the tiles show. */
export function AmountsCard({ report, links }: Props) {
  if (report.currencies.length < 2) return null
  return (
    <TableCard
      id="by-currency"
      title="By currency"
      about="not added"
      table="amounts"
      empty={noLeads}
      heads={['Currency', 'Won leads', 'Won', 'Open leads', 'Open now', 'Weighted']}
      rows={report.currencies.map(({ currency, won, open }) => ({
        key: currency,
        name: currency,
        cells: [
          <Count
            key="won"
            count={won.count}
            to={links.won(report, report.won.status, currency)}
            label={`Won, ${currency}`}
          />,
          numberText(won.sum),
          <Count key="open" count={open.count} to={links.open(currency)} label={`Open, ${currency}`} />,
          numberText(open.sum),
          numberText(open.weighted),
        ],
      }))}
    />
  )
}

/** Rejected leads by reason. */
export const ReasonsCard = ({ report, links }: Props) => (
  <TableCard
    id="why-lost"
    title="Why we lost"
    about={`${report.lost.count.toLocaleString('en-US')} rejected`}
    table="reasons"
    empty="No leads were rejected in this period."
    heads={['Reason', 'Leads', 'Share']}
    rows={report.reasons.map(({ id, name, lost }) => ({
      key: id ?? 'none',
      name,
      cells: [
        <Count
          key="lost"
          count={lost}
          to={links.event('reached', report, { status: rejectedStatus, reason: id })}
          label={`Lost, ${name}`}
        />,
        percentText(rateOf(lost, report.lost.count)),
      ],
    }))}
  />
)
