/** A part of a day, in minutes after midnight. */
export interface Span {
  start: number
  minutes: number
}

const stepMinutes = 30

const overlaps = (one: Span, other: Span) =>
  one.start < other.start + other.minutes && other.start < one.start + one.minutes

/**
 * Returns the start nearest to that of a session, on a half hour, at which no one is busy; undefined if the day
 * has none.
 * @param from first minute at which it can start
 * @param until minute at which it has to be over
 */
export function nearestFreeStart(
  wanted: Span,
  busy: readonly Span[],
  { from, until }: { from: number; until: number },
): number | undefined {
  const { minutes } = wanted
  const distance = (start: number) => Math.abs(start - wanted.start)
  let best: number | undefined
  const first = Math.ceil(from / stepMinutes) * stepMinutes
  for (let start = first; start + minutes <= until; start += stepMinutes) {
    if (busy.some((one) => overlaps({ start, minutes }, one))) continue
    if (best === undefined || distance(start) < distance(best)) best = start
  }
  return best
}
