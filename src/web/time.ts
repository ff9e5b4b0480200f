import { useSyncExternalStore } from 'react'
import { dayText, plainDate, weekday, type PlainDate } from '#shared/dates.ts'

/*
 * The formats used on every list page are built by hand: a page's first Intl formatter loads the browser's
 * language data, which takes 20 to 80 ms on a slow machine. The other formatters are created when first
 * needed.
 */

let words: Intl.RelativeTimeFormat | undefined
const steps = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/**
 * Number of seconds by which the server's clock can be ahead of the browser's before an event that has just
 * happened appears to be in the future.
 */
const aheadSeconds = 5

/** Returns the current date in the browser's time zone. */
export const today = (): PlainDate => plainDate(new Date())

/**
 * Returns the current date in the browser's time zone, for a page that stays open: re-renders after midnight,
 * and when the user returns on another day.
 */
export const useToday = (): PlainDate => useSyncExternalStore(onNewDay, today)

function onNewDay(tell: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  // Timers fire late after the machine sleeps, so the date is also checked on focus.
  const untilMidnight = () => {
    timer = setTimeout(() => (tell(), untilMidnight()), new Date().setHours(24, 0, 1, 0) - Date.now())
  }
  untilMidnight()
  addEventListener('focus', tell)
  document.addEventListener('visibilitychange', tell)
  return () => {
    clearTimeout(timer)
    removeEventListener('focus', tell)
    document.removeEventListener('visibilitychange', tell)
  }
}

/** Returns the browser's time zone, such as `Europe/Berlin`. */
export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export const thisYear = (): number => new Date().getFullYear()

/** Six and a half days would be rounded to a week. */
const weekSeconds = 6.5 * 86_400

/** Formats a timestamp as `3 hr. ago` or `in 3 hr.`, and as a date if it is a week or more away. */
export function relativeTime(instant: Date | string, now = Date.now()): string {
  words ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
  const seconds = (new Date(instant).getTime() - now) / 1000
  if (Math.abs(seconds) >= weekSeconds) return dayText(plainDate(new Date(instant)))
  for (const [unit, size] of steps)
    if (Math.abs(seconds) >= size) return words.format(Math.round(seconds / size), unit)
  return seconds > aheadSeconds ? 'in a moment' : 'just now'
}

/** Formats the time of day of a timestamp in the browser's time zone, such as `14:05`. */
export function clockTime(instant: Date | string): string {
  const at = new Date(instant)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Formats a timestamp in the browser's time zone, such as `20 Nov 2026, 14:05`. */
export function fullTime(instant: Date | string): string {
  const at = new Date(instant)
  return `${dayText(plainDate(at))}, ${clockTime(at)}`
}

/** Returns `Tuesday, 17 Nov`, with the year if it is another one, or `Today`. */
export function dayHeading(day: PlainDate, today: PlainDate): string {
  if (day === today) return 'Today'
  const words = dayText(day)
  return `${weekday(day)}, ${day.slice(0, 4) === today.slice(0, 4) ? words.replace(/ \d{4}$/, '') : words}`
}

/** Formats a count, such as `12,345`. */
export const countText = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** Formats the number of a list's rows; `10,000+` if it was counted only up to the first row above 10,000. */
export const totalText = (total: number, isCapped = false): string =>
  isCapped ? `${countText(total - 1)}+` : countText(total)
