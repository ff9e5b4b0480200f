import { fullTime, relativeTime } from '#web/time.ts'

/** A timestamp as relative time, with the full time as a tooltip. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {relativeTime(at)}
    </time>
  )
}
