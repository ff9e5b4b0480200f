import { addDays, daysBetween, type PlainDate } from '#shared/dates.ts'

/** Pure rules of organizations that server and browser both read. */

export const organizationTones = { 1: 'green', 2: 'blue', 3: 'gray', 4: 'orange' } as const
export const onTrial = 2

/** What `filter` keeps, besides `all`. */
export const trialFilters = { ends_soon: 'Trial ends within 7 days', ended: 'Trial has ended', no_end: 'No trial end' } as const
export const soonDays = 7

/** So many days before the end of a trial the person in charge is reminded. */
export const remindedBefore = [7, 1, 0] as const

interface Trial {
  status: number
  trial_end_date: string | null
}

/** Whether the trial of an organization has not ended on this day of its zone; the last day is part of it. */
export const isTrialRunning = ({ status, trial_end_date }: Trial, today: PlainDate): boolean =>
  status === onTrial && trial_end_date !== null && trial_end_date >= today

/** Where a trial stands, in words; undefined for an organization that is not on trial. */
export function trialInWords({ status, trial_end_date }: Trial, today: PlainDate): string | undefined {
  if (status !== onTrial) return undefined
  if (trial_end_date === null) return 'no end'
  const left = daysBetween(today, trial_end_date)
  if (left < 0) return 'ended'
  return left === 0 ? 'ends today' : left === 1 ? 'ends tomorrow' : `${left} days left`
}

/** The last day of a trial of so many days that begins today. */
export const trialEnd = (today: PlainDate, days: number): PlainDate => addDays(today, days)
