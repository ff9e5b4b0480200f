import { z } from 'zod'
import {
  longestSession,
  mostGuests,
  mostHosts,
  sessionPlace,
  shortestSession,
  whoseSchedule,
} from '#shared/appointments.contract.ts'
import { endpoint } from '#shared/endpoint.ts'
import {
  codeUpTo,
  emptyIsNull,
  instant,
  mailAddress,
  moment,
  plainDay,
  recordId,
  requiredText,
  text,
  yesNo,
} from '#shared/schemas.ts'
import { defaultZone, zoneName } from '#shared/zones.ts'
import { changedReply } from '#shared/record.contract.ts'

/** A lead's demo or session (A §3). */
export const Demo = z.object({
  id: z.number().int(),
  lead_id: z.number().int(),
  type: z.string(),
  requested_date: instant.nullable(),
  schedule_comment: z.string(),
  final_date: instant.nullable(),
  final_comment: z.string(),
  received_date: z.string().nullable(),
  /** Length. */
  minutes: z.number().int(),
  /** Place, or link of a call. */
  place: z.string(),
  /** Email addresses of people who are invited beside the contact. */
  guests: z.array(z.string()),
  /** The admin users who hold the session; none if it is the assignee. */
  host_ids: z.array(z.number().int()),
  /** Names of the hosts, or of the assignee; null if there is none. */
  led_by: z.string().nullable(),
  status: z.number().int(),
  is_completed: z.boolean(),
  created_at: instant,
  who: z.string().nullable(),
})
export type Demo = z.output<typeof Demo>

const demoFields = z.object({
  type: requiredText(80),
  requested_date: emptyIsNull(moment),
  schedule_comment: text(2000),
  final_date: emptyIsNull(moment),
  final_comment: text(2000),
  received_date: emptyIsNull(plainDay),
  minutes: z.coerce
    .number('Choose how long the session takes.')
    .int('Choose how long the session takes.')
    .min(shortestSession, `A session takes at least ${shortestSession} minutes.`)
    .max(longestSession, `A session takes at most ${longestSession / 60} hours.`),
  place: sessionPlace,
  guests: z
    .array(mailAddress)
    .max(mostGuests, `A session can have up to ${mostGuests} guests.`)
    .overwrite((addresses) => [...new Set(addresses)]),
  host_ids: z
    .array(recordId)
    .max(mostHosts, `A session can have up to ${mostHosts} hosts.`)
    .overwrite((ids) => [...new Set(ids)]),
})

/** A session to save. With an ID, the fields that are sent change; without an ID, the session is created. */
export const SessionInput = demoFields.partial().extend({
  id: recordId.optional(),
  /** Whether the contact is emailed an invitation with a calendar file once the session has a time. */
  invite: yesNo.optional(),
})
export type SessionInput = z.output<typeof SessionInput>

/** Accepts both names for a demo's ID (docs/spec-gaps.md G84). */
const eitherId = (input: unknown) =>
  typeof input === 'object' && input !== null && !('demoId' in input) && 'id' in input
    ? { ...input, demoId: input.id }
    : input

const DemoChanged = changedReply(Demo)

/** A demo in the schedule, with the relevant fields of its lead. */
export const ScheduledDemo = Demo.omit({ created_at: true, who: true }).extend({
  /** The scheduled time, or the requested time if the demo is not scheduled yet. */
  at: instant,
  companyName: z.string(),
  contactName: z.string(),
  lead_for: z.number().int(),
  timezone: z.string(),
  /** The lead's assignee. */
  assign_to: z.number().int().nullable(),
  assigned_name: z.string().nullable(),
})
export type ScheduledDemo = z.output<typeof ScheduledDemo>

export const demos = {
  ofLead: endpoint({
    method: 'GET',
    path: '/admin/users/demo-sessions',
    shows: ['leads'],
    summary: 'List a lead’s demos and sessions, latest first.',
    access: 'lead_detail',
    query: z.object({ lead_id: recordId }),
    response: z.object({ data: z.array(Demo), types: z.array(z.string()) }),
  }),
  save: endpoint({
    method: 'POST',
    path: '/admin/users/save-demo-session',
    summary: 'Create or update a lead’s sessions. Either all of them are saved or none are.',
    act: 'Saved a session',
    access: 'lead_edit',
    body: z.object({
      lead_id: recordId,
      sessions: z
        .array(SessionInput)
        .min(1, 'Nothing to save.')
        .max(20, 'You can save up to 20 sessions at a time.'),
    }),
    response: changedReply(z.array(Demo)),
  }),
  updateStatus: endpoint({
    method: 'POST',
    path: '/admin/users/update-demo-status',
    summary:
      'Set a session’s status: 0 canceled, 1 requested, 2 scheduled, 3 completed. Updates the lead’s demo status to match.',
    act: 'Changed session status',
    access: 'lead_edit',
    body: z.preprocess(
      eitherId,
      z.object({ demoId: recordId, status: codeUpTo(3, 'This status doesn’t exist.') }),
    ),
    response: DemoChanged,
  }),
  // The spelling of the path comes from the specification.
  receivedDate: endpoint({
    method: 'POST',
    path: '/admin/users/recevied-date',
    summary: 'Set the date a session request was received. Send null or an empty string to clear it.',
    act: 'Changed received date',
    access: 'lead_edit',
    body: z.preprocess(eitherId, z.object({ demoId: recordId, received_date: emptyIsNull(plainDay) })),
    response: DemoChanged,
  }),
  schedule: endpoint({
    method: 'GET',
    path: '/admin/users/demo-schedule',
    shows: ['leads'],
    summary:
      'List sessions between two dates (inclusive) in a time zone, in chronological order. Excludes canceled sessions.',
    access: 'lead_list',
    product: ['query.lead_for'],
    query: z.object({
      from: plainDay,
      to: plainDay,
      lead_for: recordId.optional(),
      timezone: zoneName.default(defaultZone),
      assigned_filter: whoseSchedule,
    }),
    response: z.object({ data: z.array(ScheduledDemo), truncated: z.boolean() }),
  }),
  orgTime: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/get-org-time',
    alsoAt: ['/admin/get-org-time'],
    summary: 'Get the current date and time in a time zone.',
    calledBy: 'clients of A §7',
    access: 'signed-in',
    body: z.object({
      org_timezone: z.preprocess(
        (value) => (value === '' || value === null ? undefined : value),
        zoneName.default(defaultZone),
      ),
    }),
    response: z.object({
      data: z.object({
        org_timezone: z.string(),
        now: instant,
        /** The current day and time in `org_timezone`, as YYYY-MM-DD and HH:mm. */
        day: z.string(),
        time: z.string(),
        offset: z.string(),
        abbreviation: z.string(),
      }),
    }),
  }),
}
