import { addDays, type PlainDate } from '#shared/dates.ts'
import { instantAt } from '#shared/zones.ts'
import type { ServiceTargets } from '#features/crm/support/targets.contract.ts'
import type { Db } from '#server/db/db.ts'

export type WorkingHours = Pick<ServiceTargets, 'zone' | 'days' | 'holidays'>

export interface WorkingPeriod {
  starts_at: string
  ends_at: string
  /** Length of all periods before, in seconds. */
  seconds_before: number
}

/** Returns the place of a day in `days`, which begin on Monday. */
const placeInWeek = (day: PlainDate) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

/**
 * Returns the working time from one day to another, one period per day. On a day on which clocks change, a period is
 * as long as it lasts.
 */
export function workingPeriods(
  { zone, days, holidays }: WorkingHours,
  from: PlainDate,
  to: PlainDate,
): WorkingPeriod[] {
  const off = new Set(holidays)
  const periods: WorkingPeriod[] = []
  let seconds_before = 0
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const hours = days[placeInWeek(day)]
    if (!hours || off.has(day)) continue
    const [starts_at, ends_at] = [instantAt(day, hours.from, zone), instantAt(day, hours.to, zone)]
    const seconds = (Date.parse(ends_at) - Date.parse(starts_at)) / 1000
    if (seconds <= 0) continue
    periods.push({ starts_at, ends_at, seconds_before })
    seconds_before += seconds
  }
  return periods
}

const [daysBefore, daysAfter] = [400, 800]

/** Writes the working time around a day. */
export async function writePeriods(db: Db, hours: WorkingHours, today: PlainDate): Promise<void> {
  await db.deleteFrom('working_periods').execute()
  const periods = workingPeriods(hours, addDays(today, -daysBefore), addDays(today, daysAfter))
  if (periods.length) await db.insertInto('working_periods').values(periods).execute()
}
