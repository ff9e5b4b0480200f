import { addDays, addMonths, isPlainDate, type PlainDate } from '#shared/dates.ts'
import { dateWords, weekdayIndex, writtenDay, type DateOrder } from '#shared/written-date.ts'

/*
 * Dates as people type them. Where the order is ambiguous, it is the one of the reader's language: 3/4/2026 is
 * 4 March in the United States and 3 April elsewhere. With dots, as in 3.4., the day always comes first. A
 * date without a year is the one nearest to today.
 */

/** Returns the order of day and month in a language; by default, in the browser's. */
export function dateOrder(language: string | undefined = globalThis.navigator?.language): DateOrder {
  const parts = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'numeric' }).formatToParts()
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'month' ? 'month' : 'day'
}

const named = new Map([
  ['today', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
])

/** Returns the day that a text names; undefined if it names none from 1900 through 2199. */
export function parseDay(
  text: string,
  today: PlainDate,
  order: DateOrder = dateOrder(),
): PlainDate | undefined {
  const words = dateWords(text)
  const offset = named.get(words)
  if (offset !== undefined) return addDays(today, offset)
  const day = relativeDay(words, today) ?? weekdayAfter(words, today)
  if (day === undefined) return writtenDay(words, order, today)
  return isPlainDate(day) ? day : undefined
}

/**
 * Returns the local time that a text names, as `2026-11-18T14:30`; undefined unless it names a day and a time.
 */
export function parseMoment(
  text: string,
  today: PlainDate,
  order: DateOrder = dateOrder(),
): string | undefined {
  const match =
    /^(.+?)(?:t|,|\s+at\s|\s)\s*(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?\s*(am|pm)?$/i.exec(text.trim()) ?? []
  const [, dayWords, hourWord, minuteWord, half] = match
  if (!dayWords || !hourWord || (minuteWord === undefined && half === undefined)) return undefined
  const hour = half ? (Number(hourWord) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hourWord)
  const isHour = half ? Number(hourWord) >= 1 && Number(hourWord) <= 12 : hour <= 23
  const day = parseDay(dayWords, today, order)
  if (!isHour || Number(minuteWord ?? 0) > 59 || day === undefined) return undefined
  return `${day}T${String(hour).padStart(2, '0')}:${minuteWord ?? '00'}`
}

/** `+3d`, `-2w`, `in 2 weeks`, `3 days ago`. */
function relativeDay(words: string, today: PlainDate): PlainDate | undefined {
  const short = /^([+-]) ?(\d{1,4}) ?([dwmy]?)$/.exec(words)
  if (short) return later(today, Number(`${short[1]}${short[2]}`), short[3] || 'd')
  const long =
    /^in (an?|\d{1,4}) (day|week|month|year)s?$/.exec(words) ??
    /^(an?|\d{1,4}) (day|week|month|year)s? ago$/.exec(words)
  if (!long) return undefined
  const count = /^an?$/.test(long[1]!) ? 1 : Number(long[1])
  return later(today, words.endsWith('ago') ? -count : count, long[2]![0]!)
}

function later(today: PlainDate, count: number, unit: string): PlainDate {
  if (unit === 'd' || unit === 'w') return addDays(today, count * (unit === 'w' ? 7 : 1))
  return addMonths(today, count * (unit === 'y' ? 12 : 1))
}

/** Returns the first day after today that is on the given weekday. */
function weekdayAfter(words: string, today: PlainDate): PlainDate | undefined {
  const index = weekdayIndex(words)
  if (index < 0) return undefined
  const ahead = (index - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7
  return addDays(today, ahead || 7)
}
