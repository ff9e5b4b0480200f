import ical, { ICalEventBusyStatus, ICalEventTransparency } from 'ical-generator'
import { addDays } from '#shared/dates.ts'
import type { FeedFollowUp, FeedSession } from '#features/crm/calendar-feed/server/feed.queries.ts'

interface Entries {
  sessions: readonly FeedSession[]
  followUps: readonly FeedFollowUp[]
}

const atMidnight = (day: string) => new Date(`${day}T00:00:00Z`)

/**
 * Returns an iCalendar file with sessions, and with follow-ups as events of a whole day that leave the day free. It has
 * no comments, names of people, addresses, or phone numbers, because a calendar can be shared.
 */
export function calendarOf({ sessions, followUps }: Entries, publicUrl: string): string {
  const calendar = ical({
    name: 'Admin Panel',
    prodId: { company: 'Admin Panel', product: 'Calendar feed' },
    ttl: 3600,
  })
  const { hostname } = new URL(publicUrl)
  const leadAt = (id: number) => `${publicUrl}/demo-leads/lead/${id}`
  for (const { id, type, at, minutes, lead_id, company, onboarding_id } of sessions)
    calendar.createEvent({
      id: `session-${id}@${hostname}`,
      start: new Date(at),
      end: new Date(Date.parse(at) + minutes * 60_000),
      summary: `${type}: ${company}`,
      url:
        onboarding_id === null
          ? leadAt(lead_id)
          : `${publicUrl}/on-boarding/details/onboarding/${onboarding_id}`,
    })
  for (const { lead_id, company, day } of followUps)
    calendar.createEvent({
      id: `follow-up-${lead_id}@${hostname}`,
      start: atMidnight(day),
      end: atMidnight(addDays(day, 1)),
      allDay: true,
      transparency: ICalEventTransparency.TRANSPARENT,
      busystatus: ICalEventBusyStatus.FREE,
      summary: `Follow-up: ${company}`,
      url: leadAt(lead_id),
    })
  return calendar.toString()
}
