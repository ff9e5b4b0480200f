import { dayText } from '#shared/dates.ts'
import type { SupportReport } from '#features/crm/support/report.contract.ts'
import { clockKinds } from '#features/crm/support/rules.ts'
import type { ReportLinks } from '#features/crm/support/web/report/reportLinks.ts'
import { durationText } from '#web/report/durations.ts'
import { Count, TableCard } from '#web/report/TableCard.tsx'

type Group = SupportReport['categories'][number]

const noTickets = 'No tickets in this period.'

const durationOf = (seconds: number | null) => (seconds === null ? '' : durationText(seconds))

interface GroupsProps {
  id: string
  title: string
  about?: string
  report: SupportReport
  groups: readonly Group[]
  linksOf: (group: Group) => ReportLinks
}

/** Numbers by category or organization. */
export const GroupsCard = ({ id, title, about, report, groups, linksOf }: GroupsProps) => (
  <TableCard
    id={id}
    title={title}
    {...(about === undefined ? {} : { about })}
    empty={noTickets}
    heads={['Name', 'Received', 'Solved', 'Reopened', 'First response']}
    rows={groups.map((group) => {
      const links = linksOf(group)
      return {
        key: group.id ?? 'none',
        name: group.name,
        cells: [
          <Count
            key="received"
            count={group.received}
            to={links.received(report)}
            label={`Received, ${group.name}`}
          />,
          <Count
            key="solved"
            count={group.solved}
            to={links.event('solved', report)}
            label={`Solved, ${group.name}`}
          />,
          <Count
            key="reopened"
            count={group.reopened}
            to={links.event('reopened', report)}
            label={`Reopened, ${group.name}`}
          />,
          durationOf(group.first_response),
        ],
      }
    })}
  />
)

interface Props {
  report: SupportReport
  links: ReportLinks
}

/** First answers and solved tickets by person. */
export const PeopleCard = ({ report, links }: Props) => (
  <TableCard
    id="by-person"
    title="By person"
    about="admins see everyone"
    empty={noTickets}
    heads={['Name', 'Answered', 'Solved', 'First response']}
    rows={report.people.map(({ id, name, answered, solved, first_response }) => ({
      key: id,
      name,
      cells: [
        <Count
          key="answered"
          count={answered}
          to={links.event('answered', report, id)}
          label={`Answered, ${name}`}
        />,
        <Count
          key="solved"
          count={solved}
          to={links.event('solved', report, id)}
          label={`Solved, ${name}`}
        />,
        durationOf(first_response),
      ],
    }))}
  />
)

/** How many tickets met their service targets, and missed them. */
export const TargetsCard = ({ report, links }: Props) => (
  <TableCard
    id="targets"
    title="Service targets"
    about="tickets"
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

const ageNames = ['Today', '1 to 3 days', '4 to 7 days', '1 to 4 weeks', 'Over 4 weeks'] as const

/** Open tickets by the time since they were created. */
export const AgesCard = ({ report: { ages, open }, links }: Props) => (
  <TableCard
    id="ages"
    title="Age of open tickets"
    about={`${open.toLocaleString('en-US')} now`}
    empty={noTickets}
    heads={['Created', 'Open']}
    rows={ages.map((age, index) => ({
      key: index,
      name: <span title={titleOf(age)}>{ageNames[index]}</span>,
      cells: [<Count key="open" count={age.open} to={links.open(age)} label={`Open, ${ageNames[index]}`} />],
    }))}
  />
)

const titleOf = ({ from, to }: SupportReport['ages'][number]) =>
  [from && `from ${dayText(from)}`, to && `to ${dayText(to)}`].filter(Boolean).join(' ')
