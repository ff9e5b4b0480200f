import type { Activities, SalesReport } from '#features/crm/leads/report/contract.ts'
import { salesLinks, type SalesScope } from '#features/crm/leads/report/web/salesLinks.ts'
import { leadActivities, leadActivityNames, type LeadActivity } from '#features/crm/leads/rules.ts'
import { CountOfMany, TableCard } from '#web/report/TableCard.tsx'

const heads: Record<LeadActivity, string> = {
  call: 'Calls',
  call_reached: 'Reached',
  call_missed: 'Not reached',
  email: 'Emails',
  session: 'Sessions',
  note: 'Notes',
}

interface Props {
  report: SalesReport
  scope: SalesScope
}

/** What people did for leads; each number opens the leads that it was done for. */
export function ActivitiesCard({ report, scope }: Props) {
  const { all, people } = report.activities
  const cellsOf = (who: string, done: Activities, person: SalesScope['person']) => {
    const links = salesLinks({ ...scope, person })
    return leadActivityNames.map((name) => {
      const { count, leads } = done[name]
      return (
        <CountOfMany
          key={name}
          count={count}
          records={leads}
          of={['lead', 'leads']}
          to={links.event(name, report)}
          label={`${leadActivities[name]}, ${who}`}
        />
      )
    })
  }
  return (
    <TableCard
      id="activities"
      title="Calls, emails, sessions, and notes"
      about="by the person who did it; admins see everyone"
      table="activities"
      empty="Nothing was done in this period."
      heads={['Name', ...leadActivityNames.map((name) => heads[name])]}
      rows={people.map(({ id, name, done }) => ({
        key: id ?? 'none',
        name,
        cells: cellsOf(name, done, id ?? 'none'),
      }))}
      total={cellsOf('all', all, scope.person)}
    />
  )
}
