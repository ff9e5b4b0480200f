import { instantsShowing, wallTime } from '#shared/zones.ts'
import { dayText } from '#web/time.ts'

/** A time by a clock on the wall, as it is typed. */
export interface TypedMoment {
  /** As the browser's field has it, `2026-03-29T15:00`; empty: none. */
  typed: string
  zone: string
  /** Of a time that comes twice, which one; the first when nothing is said. */
  turn: string
}

const parse = (typed: string) => /^(\d{4,6}-\d\d-\d\d)T(\d\d:\d\d)/.exec(typed)

/** The instants that a typed time can mean; none also when there is nothing typed. */
export function instantsMeant({ typed, zone }: Pick<TypedMoment, 'typed' | 'zone'>): string[] {
  const [, day, time] = parse(typed) ?? []
  return day && time ? instantsShowing(day, time, zone) : []
}

/** The instant that is meant; undefined when nothing is typed, or a time that the clock leaves out. */
export function instantMeant(moment: TypedMoment): string | undefined {
  const [first, second] = instantsMeant(moment)
  return moment.turn === 'second' ? (second ?? first) : first
}

/** What to say of a time that does not exist; undefined of any other, and of none. */
export function whyNoMoment({ typed, zone }: Pick<TypedMoment, 'typed' | 'zone'>): string | undefined {
  const [, day, time] = parse(typed) ?? []
  if (!day || !time || instantsShowing(day, time, zone).length > 0) return undefined
  return `There is no ${time} on ${dayText(day)} in ${zone}: the clock is set forward over it.`
}

/** What to say of a demo that is fixed for a time that is over; undefined of any other, and of none. */
export const whyPast = (instant: string | undefined, now = Date.now()): string | undefined =>
  instant !== undefined && Date.parse(instant) < now ? 'This time is in the past.' : undefined

/** An instant as it is typed by the clock of a zone. */
export function typedOf(instant: string | null | undefined, zone: string): Pick<TypedMoment, 'typed' | 'turn'> {
  if (!instant) return { typed: '', turn: 'first' }
  const { day, time } = wallTime(instant, zone)
  const typed = `${day}T${time}`
  const [, second] = instantsMeant({ typed, zone })
  return { typed, turn: second !== undefined && new Date(instant) >= new Date(second) ? 'second' : 'first' }
}
