import { dayText } from '#shared/dates.ts'

/** Formats a local time, for example `16 Mar 2026, 15:00`. */
export const whenText = (typed: string): string => `${dayText(typed.slice(0, 10))}, ${typed.slice(11)}`
