import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { wallTime } from '#shared/zones.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { demos, type Demo, type SessionConflict } from '#features/crm/leads/demos/contract.ts'
import classes from '#features/crm/leads/demos/web/Demos.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { browserTimeZone } from '#web/time.ts'

interface Props {
  lead: Pick<Lead, 'lead_id'>
  /** The session, if it is saved already. */
  demo: Demo | undefined
  /** Scheduled time; undefined if there is none yet. */
  at: string | undefined
  minutes: number
  host_ids: readonly string[]
}

/** Says which other sessions the hosts have at the time of a session. It can be saved all the same. */
export function SessionConflicts({ lead: { lead_id }, demo, at, minutes, host_ids }: Props) {
  const may = useMay(demos.conflicts)
  const { data } = useQuery({
    ...queryOptionsFor(demos.conflicts, {
      query: {
        lead_id,
        at: at ?? '',
        minutes,
        ...(host_ids.length > 0 && { host_ids: host_ids.map(Number) }),
        ...(demo && { except: demo.id }),
      },
    }),
    enabled: may && at !== undefined,
    placeholderData: keepPreviousData,
  })
  if (at === undefined || !data?.data.length) return null
  return (
    <div role="status" className={classes.conflicts}>
      {data.data.map((one) => (
        <p key={`${one.id} ${one.host}`}>
          {one.host} has {one.session ? <OtherSession {...one.session} /> : 'another session'} from{' '}
          {rangeOf(one)}.
        </p>
      ))}
    </div>
  )
}

const OtherSession = ({ type, lead_id, companyName }: NonNullable<SessionConflict['session']>) => (
  <>
    “{type}” with <RecordLink type="lead" id={lead_id} name={companyName} />
  </>
)

function rangeOf({ at, minutes }: SessionConflict): string {
  const timeOf = (instant: number) => wallTime(new Date(instant), browserTimeZone()).time
  const start = Date.parse(at)
  return `${timeOf(start)} to ${timeOf(start + minutes * 60_000)}`
}
