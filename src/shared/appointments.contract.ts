import { z } from 'zod'
import type { Permission } from '#shared/access.ts'
import { endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import type { Fields } from '#shared/field.ts'
import { recordIds } from '#shared/record.contract.ts'
import { instant, plainDay, recordId, text } from '#shared/schemas.ts'
import { completeUrl } from '#shared/urls.ts'
import { defaultZone, zoneName } from '#shared/zones.ts'

/*
 * When admin users hold sessions with customers: the sessions of leads and those of onboardings, which are
 * planned in the same way.
 */

/** Statuses of sessions: the codes of a lead's demo_status. */
export const demoStatuses = { 0: 'Canceled', 1: 'Requested', 2: 'Scheduled', 3: 'Completed' } as const
export type DemoStatus = keyof typeof demoStatuses
export const demoTones = { 0: 'gray', 1: 'yellow', 2: 'blue', 3: 'green' } as const satisfies Record<
  DemoStatus,
  string
>

/** Length of a session for which no other is chosen. */
export const sessionMinutes = 60
export const shortestSession = 5
export const longestSession = 720
export const mostHosts = 20
export const mostGuests = 20

const longestPlace = 300

/**
 * A room or a link. A link without a scheme, such as `meet.example/sales`, gets `https://`; without a slash, it could
 * also be a name, such as `St.Gallen`.
 */
export const sessionPlace = text(longestPlace).transform((place) => {
  const completed = place.includes('/') ? completeUrl(place) : place
  return completed.length > longestPlace ? place : completed
})

/** Formats a length, such as `45 min`, `1 h`, or `1 h 30 min`. */
export function minutesText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')
}

/** The fields that a form of a session needs to plan it. */
export const appointmentFields = {
  minutes: { label: 'Length', empty: '60' },
  host_ids: { label: 'Led by', empty: [] as string[] },
  place: { label: 'Place or link', empty: '' },
  guests: { label: 'More guests', empty: [] as string[] },
  /** Empty, or 1 to email the invitation. */
  invite: { label: 'Invitation', empty: '' },
} as const satisfies Fields

/** Number of days that the agenda of a schedule shows. */
export const agendaDays = 14

/** Whose sessions a schedule has: `mine` are those that the caller hosts, and those of records assigned to them. */
export const whose = z.enum(['mine', 'all'])
export const whoseSchedule = whose.default('all')

/** Returns whether a session is still to come. */
export const isUpcoming = ({ at, is_completed }: { at: string; is_completed: boolean }): boolean =>
  !is_completed && at >= new Date().toISOString()

const keys: Readonly<Record<string, Permission>> = { lead: 'lead_list', onboarding: 'onboarding_list' }
const keyOf = (type: unknown): Permission => keys[String(type)] ?? 'lead_list'

/** The keys of the two schedules. */
export const bySchedule: DecidedAccess = {
  says: 'lead_list for a lead, onboarding_list for an onboarding',
  permissions: Object.values(keys),
  accessFor: ({ params }) => keyOf(params.type),
  allows: (viewer, { params }) => viewer.permissions.has(keyOf(params.type)),
}

/** The record that a session belongs to. */
export const sessionParams = z.object({ type: z.enum(['lead', 'onboarding']), id: recordId })

export const sessionHosts = z.object({
  /** Without hosts, the host is the assignee of the record. */
  host_ids: recordIds
    .refine((ids) => ids.length <= mostHosts, `A session can have up to ${mostHosts} hosts.`)
    .optional(),
  /** The session itself, which is left out. */
  except: recordId.optional(),
})

export const sessionLength = z.coerce
  .number()
  .int()
  .min(shortestSession)
  .max(longestSession)
  .default(sessionMinutes)

const BusyTime = z.object({
  id: z.number().int(),
  at: instant,
  minutes: z.number().int(),
  /** The session; null if the caller can't see its record. */
  session: z
    .object({
      type: z.string(),
      companyName: z.string(),
      record_type: z.enum(['lead', 'onboarding']),
      record_id: z.number().int(),
    })
    .nullable(),
})
export type BusyTime = z.output<typeof BusyTime>

/** A session that takes place at the same time. */
const SessionConflict = BusyTime.extend({
  /** Who holds both. */
  host: z.string(),
})
export type SessionConflict = z.output<typeof SessionConflict>

const HostDay = z.object({
  /** ID and name of the host. */
  id: z.number().int(),
  name: z.string(),
  busy: z.array(BusyTime),
})
export type HostDay = z.output<typeof HostDay>

const shows = ['leads', 'onboarding', 'appointments'] as const

export const appointments = {
  conflicts: endpoint({
    method: 'GET',
    path: '/admin/appointments/{type}/{id}/conflicts',
    shows,
    summary: 'List the scheduled sessions of the same hosts at the time of a session, up to 10.',
    access: bySchedule,
    params: sessionParams,
    query: sessionHosts.extend({
      at: instant,
      minutes: sessionLength,
    }),
    response: z.object({ data: z.array(SessionConflict) }),
  }),
  busy: endpoint({
    method: 'GET',
    path: '/admin/appointments/{type}/{id}/busy',
    shows,
    summary:
      'List when the hosts of a session have other scheduled sessions on a day in a time zone, by host.',
    access: bySchedule,
    params: sessionParams,
    query: sessionHosts.extend({ day: plainDay, timezone: zoneName.default(defaultZone) }),
    response: z.object({ data: z.array(HostDay) }),
  }),
}
