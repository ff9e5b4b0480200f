import { isPlainDate, months, weekdays, type PlainDate } from '#shared/dates.ts'

/*
 * Days as people and spreadsheets write them. Two numbers of which each could be the month, as in 3/4/2026, are
 * read in a given order; with dots, as in 3.4.2026, the day always comes first.
 */

const lowerCase = (names: readonly string[]) => names.map((name) => name.toLowerCase())
const [weekdayNames, monthNames] = [lowerCase(weekdays), lowerCase(months)]

/** Which of two numbers is the day: `day` if it comes first. */
export type DateOrder = 'day' | 'month'

/** Returns a text in lower case, with single spaces instead of commas. */
export const dateWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[,\s]+/g, ' ')
    .trim()
    .replace(/\.$/, '')

export const dateOf = (year: number, month: number, day: number): PlainDate =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

export const weekdayIndex = (word: string) =>
  word.length < 3 ? -1 : weekdayNames.findIndex((name) => name.startsWith(word))

/** Two numbers and perhaps a year: `18.11.2026`, `11/18/26`, `18-11`. */
const numbersPattern = /^(\d{1,2})([-/. ]) ?(\d{1,2})(?:[-/. ] ?(\d{4}|\d{2}))?$/

/**
 * Returns which of the numbers of a full date is the day: `either` if only the reader's habit tells, undefined
 * if the text is written in a way that leaves no choice, such as 3.4.2026, 4 Mar 2026, or 5/5/2026.
 */
export function shownOrder(words: string): DateOrder | 'either' | undefined {
  const [, first, separator, second, year] = numbersPattern.exec(words) ?? []
  if (!year || separator === '.' || Number(first) === Number(second)) return undefined
  if (Number(first) > 12) return Number(second) > 12 ? undefined : 'day'
  return Number(second) > 12 ? 'month' : 'either'
}

/**
 * Returns the day of `2026-11-18`, `18.11.2026`, `11/18/2026`, `18 Nov`, `Wed 18 November 2026`, or `Nov 18th`,
 * given as `dateWords`; undefined for other texts, days that don't exist, and, without `today`, texts without a year.
 */
export function writtenDay(words: string, order: DateOrder, today?: PlainDate): PlainDate | undefined {
  const day = dayIn(words, order, today)
  return day !== undefined && isPlainDate(day) ? day : undefined
}

function dayIn(words: string, order: DateOrder, today: PlainDate | undefined): PlainDate | undefined {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(words)
  if (iso) return dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const numbers = numbersPattern.exec(words)
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

/** Returns the date in the given year; without a year, the valid one that is nearest to `today`. */
function inYear(
  day: number,
  month: number,
  year: string | undefined,
  today: PlainDate | undefined,
): PlainDate | undefined {
  if (year) return dateOf(year.length === 2 ? 2000 + Number(year) : Number(year), month, day)
  if (today === undefined) return undefined
  const now = Number(today.slice(0, 4))
  const away = (date: PlainDate) => Math.abs(Date.parse(date) - Date.parse(today))
  return [now, now + 1, now - 1]
    .map((one) => dateOf(one, month, day))
    .filter(isPlainDate)
    .toSorted((one, other) => away(one) - away(other))[0]
}
