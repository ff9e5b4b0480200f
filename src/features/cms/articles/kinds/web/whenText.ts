import { dayText } from '#shared/dates.ts'

/** Formats a wall-clock time: `16 Mar 2026, 15:00`. */
export const whenText = (typed: string): string => `${dayText(typed.slice(0, 10))}, ${typed.slice(11)}`
