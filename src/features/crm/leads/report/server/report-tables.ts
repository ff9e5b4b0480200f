import type { SalesCohort, SalesReport, SalesTable } from '#features/crm/leads/report/contract.ts'
import { rateOf } from '#features/crm/leads/report/rules.ts'
import { leadActivities, leadActivityNames, rejectedStatus } from '#features/crm/leads/rules.ts'
import type { CsvRows } from '#server/files/csv-tables.ts'

/** Returns the tables of the report as its page shows them, with times in seconds and amounts of all currencies. */
export const tablesOf = (report: SalesReport, cohort: SalesCohort): Record<SalesTable, CsvRows> => ({
  summary: summaryOf(report),
  amounts: [
    [
      'Currency',
      'Won leads',
      'Won',
      'Won, compared with',
      'Open leads now',
      'Open now',
      'Open now, weighted',
    ],
    ...report.currencies.map(({ currency, won, open }) => [
      currency,
      won.count,
      won.sum,
      won.before,
      open.count,
      open.sum,
      open.weighted,
    ]),
  ],
  funnel: funnelOf(report),
  cohort: cohortOf(cohort),
  days: [
    ['Date', 'Received', 'Contacted', 'Demos', 'Won', 'Lost'],
    ...report.days.map(({ day, received, contacted, demos, won, lost }) => [
      day,
      received,
      contacted,
      demos,
      won,
      lost,
    ]),
  ],
  months: [
    ['Month', 'Currency', 'Won', 'Open by expected close, weighted'],
    ...report.currencies.flatMap(({ currency, months }) =>
      months.map(({ month, won, weighted }) => [month.slice(0, 7), currency, won, weighted]),
    ),
  ],
  reasons: [
    ['Reason', 'Leads', 'Percent'],
    ...report.reasons.map(({ name, lost }) => [name, lost, rateOf(lost, report.lost.count)]),
    ['All', report.lost.count, null],
  ],
  assignees: groupsOf('Assignee', report.people, report),
  sources: groupsOf(
    'Source',
    report.sources.map(({ name, ...one }) => ({ name: name ?? 'No source', ...one })),
    report,
  ),
  products: groupsOf('Product', report.products, report),
  activities: activitiesOf(report),
})

function summaryOf({ received, contacted, contacted_in_a_day, demos, won, lost }: SalesReport): CsvRows {
  return [
    ['Number', 'Value', 'Compared with'],
    ['Received', received.count, received.before],
    ['Contacted', contacted.count, contacted.before],
    ['Contacted within a day', contacted_in_a_day, null],
    ['Demos', demos.count, demos.before],
    ['Won', won.count, won.before],
    ['Lost', lost.count, lost.before],
  ]
}

/** The statuses of the funnel, then the rejected one, which isn't a step of it. */
function funnelOf({ statuses }: SalesReport): CsvRows {
  const steps = statuses.filter(({ status }) => status !== rejectedStatus)
  const rejected = statuses.filter(({ status }) => status === rejectedStatus)
  return [
    [
      'Status',
      'Reached',
      'Percent of the previous one',
      'Reached, compared with',
      'Time in status, median (seconds)',
      'Time in status, 90% within (seconds)',
      'Now',
      'Probability',
    ],
    ...[...steps, ...rejected].map(
      ({ name, status, reached, before, median, p90, now, probability }, index) => {
        const last = status === rejectedStatus ? undefined : steps[index - 1]
        return [name, reached, last && rateOf(reached, last.reached), before, median, p90, now, probability]
      },
    ),
  ]
}

const cohortOf = ({ received, statuses }: SalesCohort): CsvRows => [
  ['Status', 'Reached until now', 'Percent of all'],
  ...statuses.map(({ name, reached }) => [name, reached, rateOf(reached, received)]),
  ['All', received, null],
]

type Group = SalesReport['people'][number]

/** Numbers by assignee, source, or product and of all together, with a column for the amounts in each currency. */
const groupsOf = (
  head: string,
  groups: readonly Omit<Group, 'id'>[],
  { currencies, received, demos, won, lost }: SalesReport,
): CsvRows => [
  [
    head,
    'Received',
    'Demos',
    'Won',
    'Lost',
    'Win rate (percent)',
    ...currencies.map(({ currency }) => `Won (${currency})`),
  ],
  ...groups.map((group) => [
    group.name,
    group.received,
    group.demos,
    group.won,
    group.lost,
    rateOf(group.won, group.won + group.lost),
    ...currencies.map(({ currency }) => group.amounts.find((one) => one.currency === currency)?.sum ?? 0),
  ]),
  [
    'All',
    received.count,
    demos.count,
    won.count,
    lost.count,
    rateOf(won.count, won.count + lost.count),
    ...currencies.map((one) => one.won.sum),
  ],
]

const activitiesOf = ({ activities: { all, people } }: SalesReport): CsvRows => [
  [
    'Person',
    ...leadActivityNames.flatMap((name) => [leadActivities[name], `${leadActivities[name]}, leads`]),
  ],
  ...[...people, { name: 'All', done: all }].map(({ name, done }) => [
    name,
    ...leadActivityNames.flatMap((activity) => [done[activity].count, done[activity].leads]),
  ]),
]
