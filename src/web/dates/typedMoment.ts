import { dayText } from '#shared/dates.ts'
import { instantsShowing, wallTime } from '#shared/zones.ts'
import { dateError } from '#web/dates/values.ts'

/** A local time as entered. */
export interface TypedMoment {
  /**
   * Value of a `DateField`: `2026-03-29T15:00`, a text that is not a time, or empty if none was entered.
   */
  typed: string
  zone: string
  /** For a time that occurs twice, which occurrence is meant; defaults to the first. */
  occurrence: string
}

const parse = (typed: string) => /^(\d{4,6}-\d\d-\d\d)T(\d\d:\d\d)/.exec(typed)

/** Returns the instants that an entered time can refer to; empty if no time was entered. */
export function instantsMeant({ typed, zone }: Pick<TypedMoment, 'typed' | 'zone'>): string[] {
  const [, day, time] = parse(typed) ?? []
  return day && time ? instantsShowing(day, time, zone) : []
}

/**
 * Returns the instant that an entered time refers to; undefined if no time was entered or if the clocks skip
 * it.
 */
export function instantMeant(moment: TypedMoment): string | undefined {
  const [first, second] = instantsMeant(moment)
  return moment.occurrence === 'second' ? (second ?? first) : first
}

/**
 * Returns an error message for a text that is not a time, and for a time that does not exist because the
 * clocks skip it; undefined for any other time, and if none was entered.
 */
export function skippedTimeMessage({ typed, zone }: Pick<TypedMoment, 'typed' | 'zone'>): string | undefined {
  if (typed === '') return undefined
  const [, day, time] = parse(typed) ?? []
  if (!day || !time) return dateError({ value: typed, time: true })
  if (instantsShowing(day, time, zone).length > 0) return undefined
  return `${time} doesn’t exist on ${dayText(day)} in ${zone} because the clocks go forward. Choose another time.`
}

/**
 * Returns an error message for a time in the past; undefined for any other time, and if no time was given.
 */
export const whyPast = (instant: string | undefined, now = Date.now()): string | undefined =>
  instant !== undefined && Date.parse(instant) < now ? 'This time is in the past.' : undefined

/** Converts an instant to the local time that a user would enter for it in a time zone. */
export function typedOf(
  instant: string | null | undefined,
  zone: string,
): Pick<TypedMoment, 'typed' | 'occurrence'> {
  if (!instant) return { typed: '', occurrence: 'first' }
  const { day, time } = wallTime(instant, zone)
  const typed = `${day}T${time}`
  const [, second] = instantsMeant({ typed, zone })
  return {
    typed,
    occurrence: second !== undefined && new Date(instant) >= new Date(second) ? 'second' : 'first',
  }
}
