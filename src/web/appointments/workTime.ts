import { addDays } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import type { WorkingHours } from '#web/appointments/HostDays.tsx'
import { isWeekend } from '#web/calendar/days.ts'

/** Returns whether it is within working hours in a place, from Monday to Friday, and until when, or when they begin. */
export function workTime(
  at: Date,
  zone: string,
  { start, end }: WorkingHours,
): { isOpen: boolean; words: string } {
  const { day, time } = wallTime(at, zone)
  const [from, until] = [start.slice(0, 5), end.slice(0, 5)]
  if (!isWeekend(day) && time >= from && time < until) return { isOpen: true, words: `Open until ${until}` }
  const tomorrow = addDays(day, 1)
  const next = time < from ? day : tomorrow
  const when = isWeekend(next) ? ' on Monday' : next === tomorrow ? ' tomorrow' : ''
  return { isOpen: false, words: `Opens${when} at ${from}` }
}
