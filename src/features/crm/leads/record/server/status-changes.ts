import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { instantAt } from '#shared/zones.ts'
import type { LeadFilters } from '#features/crm/leads/contract.ts'
import {
  leadActivities,
  rejectedStatus,
  type LeadActivity,
  type LeadEvent,
} from '#features/crm/leads/rules.ts'
import { wasDone } from '#features/crm/leads/record/server/activities.ts'

/*
 * SQL for what happened to leads `l` when their status changed `c`: for the sales report, and for the list of the leads
 * that a number of it counts. The status of a lead's creation counts on its lead date, for the assignee that it has now.
 */

const isContacted = `c.step = 1 and c.to_status <> ${rejectedStatus}`
/** SQL over a status change by event; a lead's first change always leads to a status that it never had. */
export const isEvent: Record<Exclude<LeadEvent, 'demo' | LeadActivity>, string> = {
  reached: 'c.is_first',
  contacted: isContacted,
  contacted_in_a_day: `${isContacted} and c.changed_at - c.since <= interval '1 day'`,
}

/** SQL over sessions `d` of a lead: the completed ones, except those of an onboarding, and the time of the first. */
export const isDemo = 'd.is_completed and d.onboarding_id is null'
export const demoAt = 'min(coalesce(d.final_date, d.requested_date, d.created_at))'
const firstDemo = `(select ${demoAt} from lead_demos d where d.lead_id = l.lead_id and ${isDemo})`

const isActivity = (event: LeadEvent): event is LeadActivity => event in leadActivities

type Wanted = Pick<LeadFilters, 'event_status' | 'event_from' | 'event_to' | 'event_by' | 'event_reason'>

/** Builds the condition that something happened to a lead in a period, as the report counts it, and adds its values. */
export function happened(
  event: LeadEvent,
  { event_status, event_from, event_to, event_by, event_reason }: Wanted,
  { zone = 'UTC' }: Viewer,
  values: unknown[],
): string {
  const value = (one: unknown) => `$${values.push(one)}`
  const between = (at: string, valueOf: (day: PlainDate) => unknown) =>
    [
      ...(event_from === undefined ? [] : [`${at} >= ${value(valueOf(event_from))}`]),
      ...(event_to === undefined ? [] : [`${at} < ${value(valueOf(addDays(event_to, 1)))}`]),
    ].map((condition) => ` and ${condition}`)
  const inPeriod = (at: string) => between(at, (day) => instantAt(day, '00:00', zone)).join('')
  if (isActivity(event)) {
    // The period is named several times, but its values are added once.
    const ends = inPeriod('$at')
    const by = event_by ? `${value(event_by)}::integer` : event_by === 0 ? event_by : undefined
    return wasDone(event, (at) => `true${ends.replaceAll('$at', () => at)}`, by)
  }
  const by = (person: string) =>
    event_by === undefined
      ? ''
      : ` and ${person} ${event_by === 0 ? 'is null' : `= ${value(event_by)}::integer`}`
  if (event === 'demo') return `(${firstDemo} is not null${inPeriod(firstDemo)}${by('l.assign_to')})`
  const status = event_status === undefined ? '' : ` and c.to_status = ${value(event_status)}`
  const reason =
    event_reason === undefined
      ? ''
      : ` and c.reject_reason_id ${event_reason === 0 ? 'is null' : `= ${value(event_reason)}`}`
  const what = `${isEvent[event]}${status}${reason}`
  const later = `l.lead_id in (select c.lead_id from lead_status_changes c
    where c.step > 0 and ${what}${inPeriod('c.changed_at')}${by('c.assignee_id')})`
  if (event !== 'reached') return later
  const created = between('l.lead_date', (day) => day).join('')
  return `(${later} or exists (select from lead_status_changes c
    where c.lead_id = l.lead_id and c.step = 0 and ${what})${created}${by('l.assign_to')})`
}
