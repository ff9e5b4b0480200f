import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
} from 'ical-generator'
import type { Demo } from '#features/crm/leads/demos/contract.ts'
import { findDemos } from '#features/crm/leads/demos/server/demos.queries.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { dayText } from '#shared/dates.ts'
import { isAddress } from '#shared/recipients.ts'
import { defaultZone, timeWithZone, wallTime } from '#shared/zones.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, WriteContext } from '#server/app.ts'
import type { demos } from '#features/crm/leads/demos/contract.ts'

type Writing = Pick<WriteContext<typeof demos.save>, 'db' | 'viewer' | 'changed'>
type Kind = 'session-scheduled' | 'session-changed' | 'session-canceled'

interface Invited {
  demo_id: number
  uid: string
  sequence: number
  address: string
  type: string
  at: string | null
  minutes: number
  place: string
  guests: string[]
  /** Its first host; null if the assignee holds it. */
  host_id: number | null
}

/**
 * Emails the contact and the guests a calendar file for each agreed session that they should be invited to,
 * and for each one in their calendars that was changed or canceled since. A guest who was removed gets a
 * cancellation.
 * @param invited IDs of the sessions to invite them to
 * @throws HttpError 422 if the lead has no email address
 */
export async function sendInvitations(
  app: App,
  context: Writing,
  lead: Lead,
  invited: ReadonlySet<number>,
): Promise<void> {
  const { db } = context
  const known = new Map(
    (
      await db
        .selectFrom('session_invitations')
        .selectAll()
        .where('demo_id', 'in', (of) =>
          of.selectFrom('lead_demos').select('id').where('lead_id', '=', lead.lead_id),
        )
        .execute()
    ).map((one) => [one.demo_id, one]),
  )
  if (known.size === 0 && invited.size === 0) return
  for (const demo of await findDemos(db, lead.lead_id)) {
    const before = known.get(demo.id)
    const kind = kindOf(demo, before, invited.has(demo.id))
    if (kind) await sendInvitation(app, context, lead, { demo, before, kind })
  }
}

function kindOf(demo: Demo, before: Invited | undefined, isInvited: boolean): Kind | undefined {
  const isAgreed = demo.status === 2 && demo.final_date !== null
  const isInCalendar = before !== undefined && before.at !== null
  if (!isInCalendar) return isAgreed && isInvited ? 'session-scheduled' : undefined
  if (isAgreed) return isChanged(demo, before) ? 'session-changed' : undefined
  // A session that took place stays in the calendar.
  return demo.status === 3 ? undefined : 'session-canceled'
}

const isChanged = (demo: Demo, before: Invited) =>
  Date.parse(before.at!) !== Date.parse(demo.final_date!) ||
  before.type !== demo.type ||
  before.minutes !== demo.minutes ||
  before.place !== demo.place ||
  before.host_id !== hostOf(demo) ||
  !isDeepStrictEqual(before.guests, demo.guests)

const hostOf = ({ host_ids }: Demo) => host_ids[0] ?? null

interface Change {
  demo: Demo
  before: Invited | undefined
  kind: Kind
}

async function sendInvitation(
  app: App,
  context: Writing,
  lead: Lead,
  { demo, before, kind }: Change,
): Promise<void> {
  const address = (before?.address ?? lead.email).trim().toLowerCase()
  if (!isAddress(address)) throw invalid('invite', 'This lead has no email address to invite.')
  const isCanceled = kind === 'session-canceled'
  const { type, minutes, place, guests } = isCanceled ? before! : demo
  const at = isCanceled ? before!.at! : demo.final_date!
  const row = {
    uid: before?.uid ?? `${randomUUID()}@${new URL(app.addresses.publicUrl).hostname}`,
    sequence: before ? before.sequence + 1 : 0,
    address,
    type,
    at: isCanceled ? null : at,
    minutes,
    place,
    guests,
    host_id: isCanceled ? before!.host_id : hostOf(demo),
  }
  await context.db
    .insertInto('session_invitations')
    .values({ demo_id: demo.id, ...row })
    .onConflict((on) => on.column('demo_id').doUpdateSet(row))
    .execute()
  const meeting = { ...row, at }
  await queueInvitation(app, context, lead, { meeting, kind, to: [address, ...guests] })
  const left = (before?.at ? before.guests : []).filter((guest) => !guests.includes(guest))
  if (left.length > 0)
    await queueInvitation(app, context, lead, { meeting, kind: 'session-canceled', to: left })
}

interface Meeting extends Omit<Invited, 'demo_id' | 'at'> {
  at: string
}

async function queueInvitation(
  app: App,
  { db, viewer, changed }: Writing,
  lead: Lead,
  { meeting, kind, to }: { meeting: Meeting; kind: Kind; to: readonly string[] },
): Promise<void> {
  const about = { product_id: lead.lead_for, staff_id: viewer.id }
  const values = {
    name: to[0] === meeting.address ? lead.contactName || 'there' : 'there',
    company: lead.companyName,
    session: meeting.type,
    time: [timesOf(meeting.at, lead.timezone), meeting.place].filter(Boolean).join(', '),
  }
  const mail = await app.mail.write(db, kind, values, about)
  const organizer = meeting.host_id ?? viewer.id
  const { name, email: reply_to } = await db
    .selectFrom('staff')
    .select(['name', 'email'])
    .where('id', '=', organizer)
    .executeTakeFirstOrThrow()
  const mail_id = await app.mail.queue(db, {
    kind,
    to,
    ...(to.length > 1 ? { cc: [] } : {}),
    ...mail,
    ...about,
    reply_to,
    record: { type: 'lead', id: lead.lead_id },
    calendar: calendarOf(meeting, {
      isCanceled: kind === 'session-canceled',
      summary: mail.subject,
      description: mail.text,
      organizer: { name, email: reply_to },
      attendees: to.map((email) => ({
        email,
        name: (email === meeting.address && lead.contactName) || email,
      })),
    }),
  })
  changed('mails', [mail_id])
}

/**
 * Returns a time in the lead's zone and, if the clocks there show another one, in ours, such as `26 Nov 2026 at 15:00
 * (US/Pacific, PST), 18:00 (US/Eastern, EST)`.
 */
export function timesOf(at: string, timezone: string): string {
  const theirs = wallTime(at, timezone)
  const ours = wallTime(at, defaultZone)
  const first = `${dayText(theirs.day)} at ${timeWithZone(theirs, timezone)}`
  if (ours.offset === theirs.offset) return first
  const day = ours.day === theirs.day ? '' : `${dayText(ours.day)} at `
  return `${first}, ${day}${timeWithZone(ours, defaultZone)}`
}

interface About {
  isCanceled: boolean
  summary: string
  description: string
  organizer: { name: string; email: string }
  attendees: { email: string; name: string }[]
}

function calendarOf(
  { uid, sequence, at, minutes, place }: Meeting,
  { isCanceled, summary, description, organizer, attendees }: About,
): string {
  const calendar = ical({
    method: isCanceled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
    prodId: { company: 'Admin Panel', product: 'Sessions' },
  })
  calendar.createEvent({
    id: uid,
    sequence,
    start: new Date(at),
    end: new Date(Date.parse(at) + minutes * 60_000),
    summary,
    description,
    status: isCanceled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer,
    ...(place !== '' && { location: place }),
    attendees: attendees.map((one) => ({
      ...one,
      rsvp: true,
      role: ICalAttendeeRole.REQ,
      status: ICalAttendeeStatus.NEEDSACTION,
    })),
  })
  return calendar.toString()
}
