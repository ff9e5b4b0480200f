import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { addDays, mondayOf } from '#shared/dates.ts'
import { progress } from '#features/tasks/progress/contract.ts'
import { queryTogether } from '#web/api/together.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { useMay } from '#web/api/useSend.ts'
import { useViewer } from '#web/session.ts'
import { changeOf, TileOf } from '#web/tile/Tile.tsx'
import { useToday } from '#web/time.ts'

const page = '/progress-report'
const words = {
  less: 'less',
  amount: (by: number) => `${by.toLocaleString('en-US', { maximumFractionDigits: 2 })} h`,
}

/** The viewer's reported hours since Monday; the dashboard has it for the roles that report hours. */
export function HoursThisWeekTile() {
  const viewer = useViewer()
  const today = useToday()
  const monday = mondayOf(today)
  const ofDays = (startDate: string, endDate: string) => ({ user_id: viewer?.id, startDate, endDate })
  const thisWeek = ofDays(monday, today)
  const lastWeek = ofDays(addDays(monday, -7), addDays(today, -7))
  const may = useMay(progress.list, { query: thisWeek }) && viewer !== undefined
  const optionsFor = (query: typeof thisWeek) => ({
    ...queryTogether(progress.list, { query }),
    enabled: may,
  })
  const query = useQuery(optionsFor(thisWeek))
  const before = useQuery(optionsFor(lastWeek)).data?.hours
  if (!may) return null
  return (
    <TileOf name="Hours this week" query={query}>
      {({ hours }) => ({
        value: hours,
        change: before === undefined ? undefined : changeOf(hours, before, 'a week ago', undefined, words),
        to: mayOpen(viewer.role_id, page) ? `${page}?${toQueryString(thisWeek)}` : undefined,
      })}
    </TileOf>
  )
}
