import { useSyncExternalStore } from 'react'
import { fullTime, relativeTime } from '#web/time.ts'
import { everyFewSeconds } from '#web/useMinute.ts'

/** A timestamp as relative time, which follows the clock, with the full time as a tooltip. */
export function Moment({ at }: { at: string }) {
  const words = useSyncExternalStore(everyFewSeconds, () => relativeTime(at))
  return (
    <time dateTime={at} title={fullTime(at)}>
      {words}
    </time>
  )
}
