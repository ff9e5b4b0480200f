import { useQuery } from '@tanstack/react-query'
import { can, mayOpen } from '#shared/access.ts'
import { addDays } from '#shared/dates.ts'
import { progress } from '#features/tasks/progress/contract.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { queryTogether } from '#web/api/together.ts'
import { useMay } from '#web/api/useSend.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useViewer } from '#web/session.ts'
import { useToday } from '#web/time.ts'

const page = '/progress-report'

/**
 * How many people have a workday without reported hours in the week before today, for those who see the hours of others;
 * the page has as many under Missing hours.
 */
export function MissingHoursLine() {
  const viewer = useViewer()
  const today = useToday()
  const days = { startDate: addDays(today, -7), endDate: addDays(today, -1) }
  const isAllowed = useMay(progress.gaps, { query: days })
  const may =
    isAllowed && viewer !== undefined && can(viewer, 'task_developer_filter') && mayOpen(viewer.role_id, page)
  const { data } = useQuery({
    ...queryTogether(progress.gaps, { query: days }),
    enabled: may,
  })
  if (!may || !data || data.data.length === 0) return null
  const missing = data.data.filter((person) => person.days.length > 0).length
  return (
    <Soft small>
      <PageLink to={`${page}?${toQueryString(days)}`}>Missing hours</PageLink> {missing} of {data.data.length}{' '}
      people, last 7 days
    </Soft>
  )
}
