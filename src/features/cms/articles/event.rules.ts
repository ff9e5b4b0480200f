import { dayText } from '#shared/dates.ts'
import { instantsShowing } from '#shared/zones.ts'

/** Time and place of an event; fields that are not set are empty strings. */
export interface When {
  starts: string
  ends: string
  zone: string
  place: string
}

export const noWhen: When = { starts: '', ends: '', zone: '', place: '' }

/**
 * Returns why the times are invalid and which field is affected; undefined if they are valid. Times have the
 * format `YYYY-MM-DDTHH:MM`.
 */
export function whyNotWhen({ starts, ends, zone }: When): { field: keyof When; words: string } | undefined {
  if (starts === '') return ends === '' ? undefined : { field: 'starts', words: 'Enter a start time.' }
  if (zone === '') return { field: 'zone', words: 'Choose a time zone.' }
  for (const [field, typed] of [['starts', starts] as const, ['ends', ends] as const]) {
    const [day = '', time = ''] = typed.split('T')
    if (typed !== '' && instantsShowing(day, time, zone).length === 0)
      return {
        field,
        words: `${time} doesn’t exist on ${day} in ${zone} because the clocks go forward. Choose another time.`,
      }
  }
  return ends !== '' && ends < starts
    ? { field: 'ends', words: 'Choose an end time after the start time.' }
    : undefined
}

/** Formats a local time, for example `16 Mar 2026, 15:00`. */
export const whenText = (typed: string): string => `${dayText(typed.slice(0, 10))}, ${typed.slice(11)}`

/**
 * Formats the time of an event, for example `16 Mar 2026, 15:00–16:30 (Europe/Berlin)`. Returns an empty string
 * if it has no start.
 */
export function periodText({ starts, ends, zone }: Omit<When, 'place'>): string {
  if (starts === '') return ''
  const isSameDay = ends.slice(0, 10) === starts.slice(0, 10)
  const end = ends === '' ? '' : isSameDay ? `–${ends.slice(11)}` : ` – ${whenText(ends)}`
  return `${whenText(starts)}${end} (${zone})`
}
