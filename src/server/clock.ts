/** Where the time comes from; tests hand in one that stands still. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export interface FixedClock extends Clock {
  /** Moves the clock on; only this moves it. */
  advance(ms: number): void
}

/** A clock that shows one instant until somebody advances it. */
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
