import { dayText } from '#web/time.ts'

/** A time by the clock on the wall: `16 Mar 2026, 15:00`. */
export const whenText = (typed: string): string => `${dayText(typed.slice(0, 10))}, ${typed.slice(11)}`
