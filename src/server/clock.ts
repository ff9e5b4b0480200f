/** Source of the current time; tests inject a fixed one. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export interface FixedClock extends Clock {
  /** Advances the clock, which otherwise never moves. */
  advance(ms: number): void
}

/** Returns a clock that stays at one instant until it is advanced. */
export function fixedClock(iso: string): FixedClock {
  let at = new Date(iso).getTime()
  if (Number.isNaN(at)) throw new RangeError(`Not an instant: ${iso}`)
  return {
    now: () => new Date(at),
    advance: (ms) => {
      at += ms
    },
  }
}
