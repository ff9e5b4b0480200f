import { addDays, daysBetween, dayText, type PlainDate } from '#shared/dates.ts'

/** Pure rules for organizations, shared by the server and the browser. */

export const organizationTones = { 1: 'green', 2: 'blue', 3: 'gray', 4: 'orange' } as const
export const onTrial = 2

/** Values of `filter` other than `all`. */
export const trialFilters = {
  ends_soon: 'Trial ends within 7 days',
  ended: 'Trial ended',
  no_end: 'No trial end date',
} as const
export const soonDays = 7

interface Trial {
  status: number
  trial_end_date: string | null
}

/**
 * Reports whether a trial is running on the given day in the organization's time zone; the last day counts.
 */
export const isTrialRunning = ({ status, trial_end_date }: Trial, today: PlainDate): boolean =>
  status === onTrial && trial_end_date !== null && trial_end_date >= today

/** Describes the state of a trial; returns undefined if the organization is not on trial. */
export function trialInWords({ status, trial_end_date }: Trial, today: PlainDate): string | undefined {
  if (status !== onTrial) return undefined
  if (trial_end_date === null) return 'no end date'
  const left = daysBetween(today, trial_end_date)
  if (left < 0) return 'ended'
  return left === 0 ? 'ends today' : left === 1 ? 'ends tomorrow' : `${left} days left`
}

/**
 * Describes an organization's trial end, such as `Trial ends 30 Mar 2026 (14 days left)`; undefined without an
 * end date. The end stays when the organization leaves the trial.
 */
export function trialEndInWords(
  { status, trial_end_date: end }: Trial,
  today: PlainDate,
): string | undefined {
  if (end === null) return undefined
  if (end < today) return `Trial ended ${dayText(end)}`
  return status === onTrial
    ? `Trial ends ${dayText(end)} (${trialInWords({ status, trial_end_date: end }, today)})`
    : `Trial was until ${dayText(end)}`
}

/** Returns the last day of a trial that starts today and lasts the given number of days. */
export const trialEnd = (today: PlainDate, days: number): PlainDate => addDays(today, days)
