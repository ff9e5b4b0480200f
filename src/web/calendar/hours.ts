import type { PlainDate } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'

/** A shorter meeting is drawn as long as this, so that it can be read. */
const shortestDrawn = 45

export interface Placed<Item> {
  item: Item
  /** Minutes after midnight, in the time zone's local time. */
  start: number
  /** Minutes that are drawn. */
  length: number
  /** Column in which the meeting is drawn; simultaneous meetings are drawn side by side. */
  lane: number
  lanes: number
}

/** Positions a day's meetings by local time in a time zone, so that a 23- or 25-hour day is drawn like any other. */
export function placeDay<Item extends { at: string; minutes: number }>(
  items: readonly Item[],
  day: PlainDate,
  zone: string,
): Placed<Item>[] {
  const ofDay = items
    .map((item) => ({ item, wall: wallTime(item.at, zone) }))
    .filter(({ wall }) => wall.day === day)
    .map(({ item, wall }) => ({
      item,
      start: Number(wall.time.slice(0, 2)) * 60 + Number(wall.time.slice(3)),
    }))
    .toSorted((a, b) => a.start - b.start)
  const placed: Placed<Item>[] = []
  let group: Placed<Item>[] = []
  let ends: number[] = []
  for (const { item, start } of ofDay) {
    if (ends.length && ends.every((end) => end <= start)) {
      group = []
      ends = []
    }
    const free = ends.findIndex((end) => end <= start)
    const lane = free === -1 ? ends.length : free
    const length = Math.max(shortestDrawn, item.minutes)
    ends[lane] = start + length
    const one = { item, start, length, lane, lanes: ends.length }
    group.push(one)
    placed.push(one)
    for (const other of group) other.lanes = ends.length
  }
  return placed
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
/** Used until the settings have loaded. */
const usualDay = { start: '08:00', end: '18:00' }

/**
 * Returns the range of hours drawn for a week: the working hours, extended to include meetings outside them.
 * @param day working hours from the settings, as HH:MM
 */
export function hoursOf(
  placed: readonly Pick<Placed<unknown>, 'start' | 'length'>[],
  day: { start: string; end: string } = usualDay,
): { first: number; last: number } {
  const starts = placed.map(({ start }) => start)
  return {
    first: Math.floor(Math.min(minutesOf(day.start), ...starts) / 60),
    last: Math.min(
      24,
      Math.ceil(Math.max(minutesOf(day.end), ...placed.map(({ start, length }) => start + length)) / 60),
    ),
  }
}

export const rowMinutes = 15
