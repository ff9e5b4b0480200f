import { fullTime, relativeTime } from '#web/time.ts'

/** An instant as relative time, with the full time as its tooltip. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {relativeTime(at)}
    </time>
  )
}
