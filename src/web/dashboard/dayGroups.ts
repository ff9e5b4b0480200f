import { addDays, dayText, daysBetween, plainDate, weekday, type PlainDate } from '#shared/dates.ts'
import type { When } from '#web/dashboard/daySource.ts'
import { clockTime } from '#web/time.ts'

export const dayGroups = ['Overdue', 'Today', 'Upcoming'] as const
export type DayGroup = (typeof dayGroups)[number]

/** Sorts items by time, and groups them. Items that have been waiting since some moment belong to today. */
export function groupItems<Item extends { when: When }>(
  items: readonly Item[],
  today: PlainDate,
): Record<DayGroup, Item[]> {
  const groups: Record<DayGroup, Item[]> = { Overdue: [], Today: [], Upcoming: [] }
  for (const item of items.toSorted((one, other) => timeOf(one.when) - timeOf(other.when)))
    groups[groupOf(item.when, today)].push(item)
  return groups
}

function groupOf(when: When, today: PlainDate): DayGroup {
  if ('since' in when) return 'Today'
  if ('at' in when) return plainDate(new Date(when.at)) > today ? 'Upcoming' : 'Today'
  if (when.day === null || when.day > today) return 'Upcoming'
  return when.day === today ? 'Today' : 'Overdue'
}

/** Returns a time in milliseconds: a day counts as its end, so that it comes after what has a time on it. */
function timeOf(when: When): number {
  if ('since' in when) return Date.parse(when.since)
  if ('at' in when) return Date.parse(when.at)
  return when.day === null ? Number.MAX_SAFE_INTEGER : Date.parse(`${when.day}T23:59:59`)
}

/** Returns a day as people say it on that day, such as `Yesterday`, `Friday`, or `24 Nov 2026`. */
export function dayWords(day: PlainDate, today: PlainDate): string {
  if (day === today) return 'Today'
  if (day === addDays(today, -1)) return 'Yesterday'
  if (day === addDays(today, 1)) return 'Tomorrow'
  const ahead = daysBetween(today, day)
  return ahead > 0 && ahead < 7 ? weekday(day) : dayText(day)
}

/** Returns when something is due or begins, for a list of what waits on that day. */
export function whenText(when: Exclude<When, { since: string }>, today: PlainDate): string {
  if (!('at' in when)) return when.day === null ? 'No due date' : dayWords(when.day, today)
  const day = plainDate(new Date(when.at))
  return day === today ? clockTime(when.at) : `${dayWords(day, today)}, ${clockTime(when.at)}`
}
