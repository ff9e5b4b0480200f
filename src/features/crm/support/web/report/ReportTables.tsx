import { dayText } from '#shared/dates.ts'
import type { SupportReport, SupportTable } from '#features/crm/support/report.contract.ts'
import { ageNames, clockKinds, type TicketEvent } from '#features/crm/support/rules.ts'
import type { ReportLinks } from '#features/crm/support/web/report/reportLinks.ts'
import { durationText } from '#web/report/durations.ts'
import { Count, CountOfMany, TableCard } from '#web/report/TableCard.tsx'

type Group = SupportReport['categories'][number]

const noTickets = 'No tickets in this period.'

const durationOf = (seconds: number | null) => (seconds === null ? '' : durationText(seconds))

interface GroupsProps {
  id: string
  title: string
  about?: string
  table: SupportTable
  report: SupportReport
  groups: readonly Group[]
  linksOf: (group: Group) => ReportLinks
  /** Addresses of all tickets, if the groups have all of them. */
  total?: ReportLinks
}

type Numbers = Pick<Group, 'received' | 'solved' | 'reopened' | 'first_response'>

/** Numbers by category or organization. */
export function GroupsCard({ id, title, about, table, report, groups, linksOf, total }: GroupsProps) {
  const cellsOf = (
    name: string,
    { received, solved, reopened, first_response }: Numbers,
    links: ReportLinks,
  ) => [
    <Count key="received" count={received} to={links.received(report)} label={`Received, ${name}`} />,
    <Count key="solved" count={solved} to={links.event('solved', report)} label={`Solved, ${name}`} />,
    <Count
      key="reopened"
      count={reopened}
      to={links.event('reopened', report)}
      label={`Reopened, ${name}`}
    />,
    durationOf(first_response),
  ]
  const all: Numbers = {
    received: report.received.count,
    solved: report.solved.count,
    reopened: report.reopened.count,
    first_response: report.first_response.median,
  }
  return (
    <TableCard
      id={id}
      title={title}
      table={table}
      {...(about === undefined ? {} : { about })}
      empty={noTickets}
      heads={['Name', 'Received', 'Solved', 'Reopened', 'First response']}
      rows={groups.map((group) => ({
        key: group.id ?? 'none',
        name: group.name,
        cells: cellsOf(group.name, group, linksOf(group)),
      }))}
      {...(total ? { total: cellsOf('all', all, total) } : {})}
    />
  )
}

interface Props {
  report: SupportReport
  links: ReportLinks
}

type Person = Omit<SupportReport['people'][number], 'id' | 'name'>

/** First answers, replies, solved tickets, and ratings by person, and of all together. */
export function PeopleCard({ report, links }: Props) {
  const cellsOf = (name: string, person: Person, by?: number) => {
    const { answered, solved, first_response, replies, good, bad } = person
    const count = (event: TicketEvent, label: string, counted: number) => (
      <Count key={event} count={counted} to={links.event(event, report, by)} label={`${label}, ${name}`} />
    )
    return [
      count('answered', 'Answered', answered),
      count('solved', 'Solved', solved),
      durationOf(first_response),
      <CountOfMany
        key="replied"
        count={replies.count}
        records={replies.tickets}
        of={['ticket', 'tickets']}
        to={links.event('replied', report, by)}
        label={`Replies, ${name}`}
      />,
      count('rated_good', 'Rated good', good),
      count('rated_bad', 'Rated bad', bad),
      good + bad === 0 ? '' : `${Math.round((good / (good + bad)) * 100)}%`,
    ]
  }
  const { answered, solved, first_response, replies, ratings } = report
  const all: Person = {
    answered: answered.count,
    solved: solved.count,
    first_response: first_response.median,
    replies,
    good: ratings.good,
    bad: ratings.bad,
  }
  return (
    <TableCard
      id="by-person"
      title="By person"
      about="admins see everyone"
      table="people"
      empty={noTickets}
      heads={[
        'Name',
        'Answered',
        'Solved',
        'First response',
        'Replies',
        'Rated good',
        'Rated bad',
        'Share good',
      ]}
      rows={report.people.map(({ id, name, ...person }) => ({
        key: id ?? 'none',
        name,
        cells: cellsOf(name, person, id ?? 0),
      }))}
      total={cellsOf('all', all)}
    />
  )
}

/** How many tickets met their service targets, and missed them. */
export const TargetsCard = ({ report, links }: Props) => (
  <TableCard
    id="targets"
    title="Service targets"
    about="tickets"
    table="targets"
    empty="No service targets ended in this period."
    heads={['Name', 'Met', 'Missed', 'Share met']}
    rows={report.targets.map(({ kind, met, missed }) => ({
      key: kind,
      name: clockKinds[kind],
      cells: [
        <Count
          key="met"
          count={met}
          to={links.target('target_met', kind, report)}
          label={`${clockKinds[kind]} met`}
        />,
        <Count
          key="missed"
          count={missed}
          to={links.target('target_missed', kind, report)}
          label={`${clockKinds[kind]} missed`}
        />,
        `${Math.round((met / (met + missed)) * 100)}%`,
      ],
    }))}
  />
)

/** Open tickets by the time since they were created, and those of them that missed a service target. */
export const AgesCard = ({ report: { ages, open }, links }: Props) => (
  <TableCard
    id="ages"
    title="Age of open tickets"
    about={`${open.toLocaleString('en-US')} now`}
    table="ages"
    empty={noTickets}
    heads={['Created', 'Open', 'Overdue']}
    rows={ages.map((age, index) => ({
      key: index,
      name: <span title={titleOf(age)}>{ageNames[index]}</span>,
      cells: [
        <Count key="open" count={age.open} to={links.open(age)} label={`Open, ${ageNames[index]}`} />,
        <Count
          key="overdue"
          count={age.overdue}
          to={links.overdue(age)}
          label={`Overdue, ${ageNames[index]}`}
        />,
      ],
    }))}
  />
)

const titleOf = ({ from, to }: SupportReport['ages'][number]) =>
  [from && `from ${dayText(from)}`, to && `to ${dayText(to)}`].filter(Boolean).join(' ')
