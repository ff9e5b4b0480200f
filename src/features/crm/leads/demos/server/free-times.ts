import { addDays, type PlainDate } from '#shared/dates.ts'
import { instantsShowing, wallTime } from '#shared/zones.ts'

/** How many free times are proposed. */
const mostTimes = 3
const mostOnADay = 2
/** How many days are looked through, with the first one. */
export const daysAhead = 14
const stepMinutes = 30

interface Hours {
  start: string
  end: string
}

interface Wanted {
  /** Times have to be later than this instant. */
  after: string
  minutes: number
  /** Working hours, which count in both time zones. */
  hours: Hours
  /** Time zones of the customer and of the hosts. */
  zones: { theirs: string; ours: string }
  busy: readonly { at: string; minutes: number }[]
}

/**
 * Returns up to three times at which no host is busy, in order, on half hours of working days and at most two on a day:
 * within the working hours of both time zones or, if these have none in common, within those of the customer's.
 */
export function freeTimes(wanted: Wanted): { times: string[]; isInBoth: boolean } {
  const both = timesWithin(wanted, [wanted.zones.ours])
  return both.length > 0
    ? { times: both, isInBoth: true }
    : { times: timesWithin(wanted, []), isInBoth: false }
}

function timesWithin({ after, minutes, hours, zones, busy }: Wanted, alsoIn: readonly string[]): string[] {
  const found: string[] = []
  const length = minutes * 60_000
  const isBusy = (start: number) =>
    busy.some(
      ({ at, minutes: other }) => start < Date.parse(at) + other * 60_000 && Date.parse(at) < start + length,
    )
  const first = wallTime(after, zones.theirs).day
  for (let index = 0; index < daysAhead; index += 1) {
    const day = addDays(first, index)
    if (isWeekend(day)) continue
    const onDay: number[] = []
    for (const time of halfHours(hours)) {
      const [instant] = instantsShowing(day, time, zones.theirs)
      const start = instant === undefined ? NaN : Date.parse(instant)
      // Times that are proposed don't overlap, and are an hour apart at least.
      const earliest = Math.max(
        Date.parse(after) + 1,
        (onDay.at(-1) ?? -Infinity) + Math.max(length, 3_600_000),
      )
      if (!(start >= earliest) || isBusy(start)) continue
      if (![zones.theirs, ...alsoIn].every((zone) => isWithin(hours, zone, start, start + length))) continue
      onDay.push(start)
      if (onDay.length === mostOnADay || found.length + onDay.length === mostTimes) break
    }
    found.push(...onDay.map((start) => new Date(start).toISOString()))
    if (found.length === mostTimes) break
  }
  return found
}

const isWeekend = (day: PlainDate) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

function halfHours({ start, end }: Hours): string[] {
  const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
  const times: string[] = []
  const first = Math.ceil(minutesOf(start) / stepMinutes) * stepMinutes
  for (let minute = first; minute < minutesOf(end); minute += stepMinutes)
    times.push([Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':'))
  return times
}

/** Returns whether a time begins and ends within the working hours of one working day in a time zone. */
function isWithin({ start, end }: Hours, zone: string, from: number, until: number): boolean {
  const [begins, ends] = [from, until].map((instant) => wallTime(new Date(instant), zone)) as [
    ReturnType<typeof wallTime>,
    ReturnType<typeof wallTime>,
  ]
  return (
    begins.day === ends.day &&
    !isWeekend(begins.day) &&
    begins.time >= start.slice(0, 5) &&
    ends.time <= end.slice(0, 5)
  )
}
