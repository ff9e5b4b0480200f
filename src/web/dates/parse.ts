import { addDays, addMonths, isPlainDate, months, weekdays, type PlainDate } from '#shared/dates.ts'

/*
 * Dates as people type them. Where the order is ambiguous, it is the one of the reader's language: 3/4/2026 is
 * 4 March in the United States and 3 April elsewhere. With dots, as in 3.4., the day always comes first. A
 * date without a year is the one nearest to today.
 */

/** Which of two numbers is the day: `day` if it comes first. */
export type DateOrder = 'day' | 'month'

/** Returns the order of day and month in a language; by default, in the browser's. */
export function dateOrder(language: string | undefined = globalThis.navigator?.language): DateOrder {
  const parts = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'numeric' }).formatToParts()
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'month' ? 'month' : 'day'
}

const lowerCase = (names: readonly string[]) => names.map((name) => name.toLowerCase())
const [weekdayNames, monthNames] = [lowerCase(weekdays), lowerCase(months)]
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
  const words = text
    .toLowerCase()
    .replace(/[,\s]+/g, ' ')
    .trim()
    .replace(/\.$/, '')
  const offset = named.get(words)
  if (offset !== undefined) return addDays(today, offset)
  const day = relativeDay(words, today) ?? weekdayAfter(words, today) ?? writtenDay(words, today, order)
  return day !== undefined && isPlainDate(day) ? day : undefined
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

const dateOf = (year: number, month: number, day: number): PlainDate =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

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

const weekdayIndex = (word: string) =>
  word.length < 3 ? -1 : weekdayNames.findIndex((name) => name.startsWith(word))

/** `2026-11-18`, `18.11.2026`, `11/18/2026`, `18 Nov`, `Wed 18 November 2026`, `Nov 18th`. */
function writtenDay(words: string, today: PlainDate, order: DateOrder): PlainDate | undefined {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(words)
  if (iso) return dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const numbers = /^(\d{1,2})([-/. ]) ?(\d{1,2})(?:[-/. ] ?(\d{4}|\d{2}))?$/.exec(words)
  if (numbers) {
    const [first, second] = [Number(numbers[1]), Number(numbers[3])]
    // A number that can't be a month is the day, whatever the order is.
    const isMonthFirst = second > 12 || (order === 'month' && numbers[2] !== '.' && first <= 12)
    return isMonthFirst ? inYear(second, first, numbers[4], today) : inYear(first, second, numbers[4], today)
  }
  const [head, ...tail] = words.split(' ')
  const rest = head && weekdayIndex(head) >= 0 && tail.length ? tail.join(' ') : words
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?\.?[ -]?([a-z]{3,9})\.?(?:[ -](\d{4}|\d{2}))?$/.exec(rest)
  const monthFirst = /^([a-z]{3,9})\.? ?(\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?$/.exec(rest)
  const [date, name, year] = dayFirst
    ? [dayFirst[1], dayFirst[2]!, dayFirst[3]]
    : [monthFirst?.[2], monthFirst?.[1] ?? '', monthFirst?.[3]]
  const month = monthNumber(name)
  return date && month ? inYear(Number(date), month, year, today) : undefined
}

function monthNumber(name: string): number | undefined {
  const index =
    name === 'sept' ? 8 : monthNames.findIndex((month) => month === name || month.slice(0, 3) === name)
  return index < 0 ? undefined : index + 1
}

/** Returns the date in the given year; without a year, the valid one that is nearest to today. */
function inYear(
  day: number,
  month: number,
  year: string | undefined,
  today: PlainDate,
): PlainDate | undefined {
  if (year) return dateOf(year.length === 2 ? 2000 + Number(year) : Number(year), month, day)
  const now = Number(today.slice(0, 4))
  const away = (date: PlainDate) => Math.abs(Date.parse(date) - Date.parse(today))
  return [now, now + 1, now - 1]
    .map((one) => dateOf(one, month, day))
    .filter(isPlainDate)
    .toSorted((one, other) => away(one) - away(other))[0]
}
