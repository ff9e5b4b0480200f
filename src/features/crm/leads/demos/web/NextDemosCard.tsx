import { useQuery } from '@tanstack/react-query'
import { agendaDays, isUpcoming } from '#shared/appointments.contract.ts'
import { addDays } from '#shared/dates.ts'
import { demos } from '#features/crm/leads/demos/contract.ts'
import { queryTogether } from '#web/api/together.ts'
import { useMay } from '#web/api/useSend.ts'
import { CardItem, CardList, DashboardCard, SeeAllLink } from '#web/dashboard/DashboardCard.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useScope } from '#web/shell/useScope.ts'
import { fullTime, useToday, browserTimeZone } from '#web/time.ts'
import { useViewer } from '#web/session.ts'

const most = 4
const title = 'Upcoming sessions'
/** The list that the card begins with. */
const schedule = {
  to: '/demo-leads/demo-leads-schedule',
  search: { only: 'upcoming', assigned_filter: 'all' },
}

/** Dashboard card with the next demos, in the viewer's time zone. */
export function NextDemosCard() {
  const product = useScope()
  const viewer = useViewer()
  const from = useToday()
  const asked = {
    query: { from, to: addDays(from, agendaDays - 1), lead_for: product, timezone: browserTimeZone() },
  }
  const may = useMay(demos.schedule, asked)
  const query = useQuery({ ...queryTogether(demos.schedule, asked), enabled: may })
  const coming = (query.data?.data ?? []).filter(isUpcoming)
  if (!coming.length) return null
  return (
    <DashboardCard id="next-demos" title={title} total={coming.length} {...schedule}>
      <CardList>
        {coming.slice(0, most).map(({ id, at, type, led_by, lead_id, companyName }) => (
          <CardItem
            key={id}
            name={companyName}
            detail={[type, led_by].filter(Boolean).join(' · ')}
            at={<time dateTime={at}>{fullTime(at)}</time>}
            to={recordAddress('lead', lead_id, viewer, companyName)}
          />
        ))}
      </CardList>
      {coming.length > most && <SeeAllLink title={title} {...schedule} />}
    </DashboardCard>
  )
}
