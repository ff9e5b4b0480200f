import { addDays } from '#shared/dates.ts'
import { today } from '#web/time.ts'

/** Hour at which a ticket returns that is snoozed until a day. */
const morning = 9

/** Returns the instant of a morning. */
export const morningIn = (days: number): string =>
  new Date(`${addDays(today(), days)}T${String(morning).padStart(2, '0')}:00:00`).toISOString()

/** Days until the next Monday, at least one. */
export const daysToMonday = () => (8 - new Date().getDay()) % 7 || 7
