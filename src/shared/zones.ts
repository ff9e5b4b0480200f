import { z } from 'zod'
import { addDays, type PlainDate } from '#shared/dates.ts'

/*
 * Local time in other places: pure functions based on the time zone data built into browsers and Node
 * (docs/product.md#time-zones).
 */

/** Time zone of organizations that don't have one (A §9), and of calls that name none. */
export const defaultZone = 'US/Eastern'

/**
 * Returns whether a string names a time zone, such as `US/Eastern`, `Europe/Berlin`, or `UTC`; an offset such
 * as `+05:00` does not count.
 */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,60}$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** The name of a time zone. */
export const zoneName = z.string('This must be text.').trim().refine(isZone, 'Choose a valid time zone.')

/** Local time, as shown on a wall clock. */
export interface WallTime {
  day: PlainDate
  /** `HH:mm`. */
  time: string
  /** Such as `-04:00`. */
  offset: string
  /** Such as `EDT`, or `UTC+2` if there is no American abbreviation. */
  abbreviation: string
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the local time in a time zone at a given instant. */
export function wallTime(instant: Date | string, zone: string): WallTime {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    })
    formats.set(zone, format)
  }
  const at = new Date(instant)
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const day = `${parts['year']!.padStart(4, '0')}-${parts['month']}-${parts['day']}`
  const time = `${parts['hour']}:${parts['minute']}`
  const shown = Date.parse(`${day}T${time}:${parts['second']}Z`)
  const minutes = Math.round((shown - Math.floor(at.getTime() / 1000) * 1000) / 60_000)
  return {
    day,
    time,
    offset: offsetText(minutes),
    abbreviation: parts['timeZoneName']!.replace('GMT', 'UTC'),
  }
}

/** Returns a time zone with its abbreviation, such as `US/Pacific, PST`, or `UTC` if both are the same. */
export const zoneText = (zone: string, { abbreviation }: Pick<WallTime, 'abbreviation'>): string =>
  zone.split('/').at(-1) === abbreviation ? abbreviation : `${zone}, ${abbreviation}`

/** Returns a time of day with its time zone, such as `15:00 (US/Pacific, PST)`. */
export const timeWithZone = (wall: WallTime, zone: string): string => `${wall.time} (${zoneText(zone, wall)})`

function offsetText(minutes: number): string {
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
}

/**
 * Returns the instants at which local clocks in a time zone show this day and time, in ISO 8601 format in
 * UTC: two if the time occurs twice because clocks are set back, none if it is skipped because they are set
 * forward.
 */
export function instantsShowing(day: PlainDate, time: string, zone: string): string[] {
  return resolveWallTime(day, time, zone).fits
}

/**
 * Like `instantsShowing`, but returns a single instant, such as the start of a day: the first if there are
 * two. A time that is skipped is moved later by the length of the gap.
 */
export function instantAt(day: PlainDate, time: string, zone: string): string {
  const { fits, before } = resolveWallTime(day, time, zone)
  return fits[0] ?? before
}

function resolveWallTime(day: PlainDate, time: string, zone: string): { fits: string[]; before: string } {
  const wanted = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`)
  const offsetAt = (ms: number) => {
    const { offset } = wallTime(new Date(ms), zone)
    const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4))
    return (offset.startsWith('-') ? -minutes : minutes) * 60_000
  }
  // UTC offsets one day before and one day after; there is at most one clock change in between.
  const before = wanted - offsetAt(wanted - 86_400_000)
  const after = wanted - offsetAt(wanted + 86_400_000)
  const asText = (ms: number) => new Date(ms).toISOString()
  const fits = [...new Set([before, after])]
    .filter((ms) => ms + offsetAt(ms) === wanted)
    .toSorted((a, b) => a - b)
  return { fits: fits.map(asText), before: asText(before) }
}

/**
 * Returns the instants that bound a range of days in a time zone: midnight at the start of the first day and
 * midnight at the end of the last.
 */
export function instantsOf(from: PlainDate, to: PlainDate, zone: string): { from: string; until: string } {
  return { from: instantAt(from, '00:00', zone), until: instantAt(addDays(to, 1), '00:00', zone) }
}

/** Time zones that forms offer; records can also use any other time zone. */
export const offeredZones = [
  'US/Eastern',
  'US/Central',
  'US/Mountain',
  'US/Arizona',
  'US/Pacific',
  'US/Alaska',
  'US/Hawaii',
  'Canada/Atlantic',
  'Europe/London',
  'Europe/Paris',
  'Europe/Berlin',
  'Europe/Athens',
  'Asia/Dubai',
  'Asia/Kolkata',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Australia/Sydney',
  'UTC',
] as const
