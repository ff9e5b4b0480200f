import { dayText, isPlainDate, type PlainDate } from '#shared/dates.ts'

/* Values of date fields: `2026-11-18`, `2026-11-18T14:30`, empty, or a text that is not a date. */

interface Checked {
  value: string
  time?: boolean | undefined
  min?: PlainDate | undefined
  max?: PlainDate | undefined
}

/** Formats a value of a date field, such as `18 Nov 2026` or `18 Nov 2026, 14:30`. */
export function dateInputText(value: string): string {
  const [day = '', clock] = value.split('T')
  if (!isPlainDate(day)) return value
  return clock ? `${dayText(day)}, ${clock.slice(0, 5)}` : dayText(day)
}

/** Returns an error message for a value of a date field; undefined if it is empty or a date within the limits. */
export function dateError({ value, time = false, min, max }: Checked): string | undefined {
  if (value === '') return undefined
  const [day = '', clock] = value.split('T')
  if (!isPlainDate(day) || (time && !clock))
    return time
      ? 'Enter a date and a time, such as 18 Nov 2026, 14:30.'
      : 'Enter a date, such as 18 Nov 2026.'
  if (min !== undefined && day < min) return `Enter ${dayText(min)} or a later date.`
  if (max !== undefined && day > max) return `Enter ${dayText(max)} or an earlier date.`
  return undefined
}
