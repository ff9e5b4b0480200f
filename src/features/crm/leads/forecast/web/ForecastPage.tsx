import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { amountText, shortAmount } from '#shared/money.ts'
import { leadForecast, type LeadForecast, type Sums } from '#features/crm/leads/forecast/contract.ts'
import { monthsToShow, type ShownMonth } from '#features/crm/leads/forecast/web/forecastMonths.ts'
import classes from '#features/crm/leads/forecast/web/forecast.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { BarsChart, type ChartData } from '#web/charts/charts.tsx'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { useAddress } from '#web/list/address/useAddress.ts'
import { Select } from '#web/parts/controls.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Count, TableCard } from '#web/report/TableCard.tsx'
import { useScopeOrAll } from '#web/shell/useScope.ts'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { toneColor } from '#web/theme.ts'
import { Tile } from '#web/tile/Tile.tsx'
import { useToday } from '#web/time.ts'

const Address = z.object({ currency: z.string().optional(), product_scope: z.enum(['all']).optional() })
const parents = [['/demo-leads', 'Leads']] as const

type OfCurrency = LeadForecast['currencies'][number]

/** The expected amounts of the coming months, by the expected close and the probability of open leads. */
export function ForecastPage() {
  const scope = useScopeOrAll()
  const today = useToday()
  const input = { query: { ...(scope === undefined ? {} : { lead_for: scope }), today } }
  const may = useMay(leadForecast.show, input)
  const query = useQuery(queryOptionsFor(leadForecast.show, input))
  if (!may) return <NoAccessPage parents={parents} />
  return (
    <div className={classes.page}>
      <PageHeader parents={parents} />
      <Loaded query={query} what="The forecast">
        {({ data }) => <Forecast forecast={data} scope={scope} />}
      </Loaded>
    </div>
  )
}

interface Props {
  forecast: LeadForecast
  scope: number | undefined
}

function Forecast({ forecast, scope }: Props) {
  const [{ currency }, change] = useAddress(Address)
  const { currencies, without_amount } = forecast
  const shown = currencies.find((one) => one.currency === currency) ?? currencies[0]
  const linkOf = linksOf(scope)
  const without = without_amount > 0 && (
    <Soft as="span">
      Without amount:{' '}
      <Count
        count={without_amount}
        to={linkOf({ amount_filter: 'without', outcome_filter: 'open' })}
        label="Open leads without amount"
      />
    </Soft>
  )
  if (!shown)
    return (
      <EmptyState title="No amounts yet">
        Enter the amount and the expected close of your leads. {without}
      </EmptyState>
    )
  return (
    <>
      <div className={classes.head}>
        {currencies.length > 1 && (
          <Select
            label="Currency"
            value={shown.currency}
            options={currencies.map((one) => [one.currency, one.currency] as const)}
            onChoose={(chosen) => change({ currency: chosen })}
          />
        )}
        <Soft as="span">Amounts of the first year: monthly ones count twelve times.</Soft>
        {without}
      </div>
      <Numbers forecast={forecast} shown={shown} linkOf={linkOf} />
      <div className={classes.halves}>
        {scope === undefined && <ProductsCard forecast={forecast} shown={shown} linkOf={linkOf} />}
        {currencies.length > 1 && <CurrenciesCard forecast={forecast} linkOf={linkOf} />}
      </div>
    </>
  )
}

/** Returns the address of the leads with all given filters, of any date. */
const linksOf =
  (scope: number | undefined) =>
  (filters: Record<string, string | number | null>): string => {
    const product = { lead_for: scope ?? null, product_scope: scope === undefined ? 'all' : null }
    const all = { fromDate: 'all', toDate: 'all', ...product, ...filters }
    const search = Object.entries(all).flatMap(([name, value]) =>
      value === null ? [] : [[name, String(value)]],
    )
    return `/demo-leads?${new URLSearchParams(search).toString()}`
  }
type LinkOf = ReturnType<typeof linksOf>

interface NumbersProps {
  forecast: LeadForecast
  shown: OfCurrency
  linkOf: LinkOf
}

function Numbers({ forecast, shown, linkOf }: NumbersProps) {
  const { currency, open, won, people } = shown
  const inCurrency = { currency, outcome_filter: 'open' }
  const shownMonths = monthsToShow(shown.months, forecast.month)
  const thisMonth = shownMonths.find(({ from }) => from === forecast.month)
  const toMonth = ({ from, to }: ShownMonth) =>
    linkOf({
      ...inCurrency,
      close_from: from,
      close_to: to,
      ...(to === null ? { close_filter: 'none' } : {}),
    })
  return (
    <>
      <div className={classes.tiles}>
        <Tile
          name="Open"
          value={shortAmount(open.sum, currency)}
          detail={leadsText(open)}
          to={linkOf(inCurrency)}
        />
        <Tile name="Weighted" value={shortAmount(open.weighted, currency)} detail="by probability" />
        <Tile
          name="Weighted this month"
          value={shortAmount(thisMonth?.weighted ?? 0, currency)}
          {...(thisMonth && { detail: leadsText(thisMonth), to: toMonth(thisMonth) })}
        />
        <Tile
          name="Won this month"
          value={shortAmount(won.sum, currency)}
          detail={leadsText(won)}
          to={wonAddress(forecast, currency, linkOf)}
        />
      </div>
      <BarsChart
        id="forecast-months"
        title="Expected close by month"
        about={currency}
        query={{ data: shownMonths, error: null, isLoading: false, refetch: () => undefined }}
        chart={(data) => chartOf(data, toMonth)}
        empty={{ title: 'No amounts', text: 'Enter the amounts of your open leads.' }}
      />
      <div className={classes.halves}>
        <TableCard
          id="by-month"
          title="By month"
          empty="No open leads with an amount."
          heads={['Expected close', 'Leads', 'Amount', 'Weighted']}
          rows={shownMonths.map((month) => ({
            key: month.name,
            name: month.name,
            cells: cellsOf(month, currency, toMonth(month)),
          }))}
        />
        <TableCard
          id="by-assignee"
          title="By assignee"
          empty="You have no open leads with an amount."
          heads={['Assignee', 'Leads', 'Amount', 'Weighted']}
          rows={people.map((person) => ({
            key: person.id ?? 'none',
            name: person.name ?? 'Unassigned',
            cells: cellsOf(
              { ...person, name: person.name ?? 'Unassigned' },
              currency,
              linkOf({
                ...inCurrency,
                ...(person.id === null ? { assigned_filter: 'unassigned' } : { crm_id: person.id }),
              }),
            ),
          }))}
        />
      </div>
    </>
  )
}

const sumHeads = ['Open leads', 'Open', 'Weighted', 'Won leads this month', 'Won this month']

interface SumsOf extends Pick<OfCurrency, 'currency' | 'open' | 'won'> {
  name: string
}

/** Returns the address of the leads that were won in the current month. */
const wonAddress = ({ month, won_status }: LeadForecast, currency: string, linkOf: LinkOf) =>
  linkOf({ currency, status: won_status, status_from: month })

/** The numbers of a product or of a currency. */
const sumCells = ({ name, currency, open, won }: SumsOf, forecast: LeadForecast, linkOf: LinkOf) => [
  <Count
    key="open"
    count={open.count}
    to={linkOf({ currency, outcome_filter: 'open' })}
    label={`Open, ${name}`}
  />,
  amountText(open.sum, currency),
  amountText(open.weighted, currency),
  <Count
    key="won"
    count={won.count}
    to={wonAddress(forecast, currency, linkOf)}
    label={`Won this month, ${name}`}
  />,
  amountText(won.sum, currency),
]

/** The amounts of each product of the viewer in one currency. */
const ProductsCard = ({ forecast, shown, linkOf }: NumbersProps) => (
  <TableCard
    id="by-product"
    title="By product"
    about={shown.currency}
    empty="You have no products."
    heads={['Product', ...sumHeads]}
    rows={shown.products.map(({ id, name, open, won }) => ({
      key: id,
      name,
      cells: sumCells({ name, currency: shown.currency, open, won }, forecast, (filters) =>
        linkOf({ lead_for: id, ...filters }),
      ),
    }))}
    total={sumCells({ name: 'all', ...shown }, forecast, linkOf)}
  />
)

/** The amounts of each currency, which are never added. */
const CurrenciesCard = ({ forecast, linkOf }: Omit<NumbersProps, 'shown'>) => (
  <TableCard
    id="by-currency"
    title="By currency"
    about="not added"
    empty="No open leads with an amount."
    heads={['Currency', ...sumHeads]}
    rows={forecast.currencies.map((one) => ({
      key: one.currency,
      name: one.currency,
      cells: sumCells({ name: one.currency, ...one }, forecast, linkOf),
    }))}
  />
)

const leadsText = ({ count }: Pick<Sums, 'count'>) =>
  count === 1 ? '1 lead' : `${count.toLocaleString('en-US')} leads`

const cellsOf = ({ name, count, sum, weighted }: Sums & { name: string }, currency: string, to: string) => [
  <Count key="count" count={count} to={to} label={`Leads, ${name}`} />,
  amountText(sum, currency),
  amountText(weighted, currency),
]

const chartOf = (data: readonly ShownMonth[], toMonth: (month: ShownMonth) => string): ChartData => ({
  unit: 'Expected close',
  points: data.map(({ name, short, sum, weighted }) => ({
    name: short,
    fullName: name,
    values: [weighted, Math.round((sum - weighted) * 100) / 100],
  })),
  series: [
    { name: 'Weighted', color: toneColor('green') },
    { name: 'Rest of the amount', color: toneColor('gray') },
  ],
  addressOf: (point) => (data[point] ? toMonth(data[point]) : undefined),
})
