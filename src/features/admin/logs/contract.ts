import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { emptyIsAbsent, instant, plainDay, recordId, text, wholeNumber } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { listReply, ReversibleOperation } from '#shared/record.contract.ts'
import type { RecordType } from '#shared/records.ts'

export const logsPerPage = 50
/** Counting stops at this number: no one pages further than this, no matter how long the log is. */
export const mostCounted = 10_000

export const outcomes = {
  signed_in: 'Signed in',
  refused: 'Failed',
  locked: 'Too many attempts',
  ended: 'Session ended',
} as const
const outcome = z.enum(Object.keys(outcomes) as [keyof typeof outcomes, ...(keyof typeof outcomes)[]])

export const SignInFilters = z.object({
  page: pageNumber.default(1),
  staff_id: recordId.optional(),
  outcome: outcome.optional(),
})
export type SignInFilters = z.output<typeof SignInFilters>

export const SignInRow = z.object({
  id: z.number().int(),
  at: instant,
  /** Null if the entered name doesn't match any account. */
  who: z.string().nullable(),
  user_name: z.string().nullable(),
  outcome,
  address: z.string(),
  device: z.string(),
})
export type SignInRow = z.output<typeof SignInRow>

const day = emptyIsAbsent(plainDay)

/** Kinds of actions, with the first words of their names. */
export const actions = {
  created: { name: 'Created or added', starts: ['Created', 'Added', 'Uploaded', 'Imported'] },
  changed: { name: 'Changed', starts: ['Changed', 'Edited', 'Updated', 'Renamed', 'Reordered', 'Assigned'] },
  sent: { name: 'Sent', starts: ['Sent', 'Replied', 'Resent', 'Retried'] },
  removed: { name: 'Deleted or removed', starts: ['Moved to trash', 'Deleted', 'Removed'] },
  restored: { name: 'Restored or undone', starts: ['Restored', 'Undid', 'Redid'] },
  access: {
    name: 'Access',
    starts: [
      'Invited',
      'Deactivated',
      'Reactivated',
      'Banned',
      'Unbanned',
      'Ended',
      'Set password',
      'Signed',
    ],
  },
} as const
const action = z.enum(Object.keys(actions) as [keyof typeof actions, ...(keyof typeof actions)[]])

/** Types of the records whose numbers are values of these fields. */
export const recordFields: Readonly<Record<string, RecordType>> = {
  org_id: 'organization',
  organization_id: 'organization',
  organization_ids: 'organization',
  organizations: 'organization',
  user_id: 'customer_user',
  customer_user_id: 'customer_user',
  lead_id: 'lead',
  onboarding_id: 'onboarding',
  task_id: 'task',
  ticket_id: 'ticket',
}
export const AuditFilters = z.object({
  page: pageNumber.default(1),
  /** Words in values, names of records, or names of admin users. */
  search: text(200).default(''),
  /** All changes of one request, each in a row; without it, the changes of a request are one row. */
  request: text(100).default(''),
  action: emptyIsAbsent(action),
  staff_id: recordId.optional(),
  area: text(60).default(''),
  record: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  from: day,
  to: day,
})
export type AuditFilters = z.output<typeof AuditFilters>

export const AuditRow = z.object({
  id: z.number().int(),
  at: instant,
  who: z.string(),
  /** Null if the panel itself made the change. */
  staff_id: z.number().int().nullable(),
  act: z.string(),
  endpoint: z.string(),
  area: z.string(),
  record: z.number().int().nullable(),
  /** Name of the record; null if there is no record, it is in the trash, or the viewer cannot see it. */
  name: z.string().nullable(),
  changes: z.array(
    z.object({
      field: z.string(),
      /** Label of the field; null if its name is its label. */
      label: z.string().nullable(),
      before: z.unknown(),
      after: z.unknown(),
      /** The values with names instead of IDs; null if a value is read as it is. */
      before_words: z.string().nullable(),
      after_words: z.string().nullable(),
    }),
  ),
  address: z.string(),
  request_id: z.string(),
  /** Number of changes of the same kind by the same request, at most 10,000; only this one has its values here. */
  changed: z.number().int(),
})
export type AuditRow = z.output<typeof AuditRow>

/** A change with everything that is known about it. */
export const AuditEntry = AuditRow.extend({
  /** Whether the record is in the trash. */
  in_trash: z.boolean(),
  /** What else the request changed, at most 20 records. */
  caused: z.array(AuditRow),
  /** The operation that made the change, if the caller can undo or redo it. */
  operation: ReversibleOperation.nullable(),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const logs = {
  signIns: endpoint({
    method: 'GET',
    path: '/admin/users/log',
    summary:
      'List admin user sign-ins with time, IP address, device, and outcome, newest first, 50 per page.',
    access: 'login_logs_view',
    query: SignInFilters,
    response: listReply(SignInRow),
  }),
  audit: endpoint({
    method: 'GET',
    path: '/admin/users/admin-log',
    summary:
      'List changes by admin users with before and after values, newest first, for the caller’s products only.',
    access: 'admin_users_log_list',
    query: AuditFilters,
    response: listReply(AuditRow),
  }),
  entry: endpoint({
    method: 'GET',
    path: '/admin/users/admin-log/{id}',
    summary: 'Get a change with what else its request changed, and the operation that can be undone.',
    access: 'admin_users_log_list',
    params: z.object({ id: recordId }),
    response: z.object({ data: AuditEntry }),
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/users/admin-log/export',
    summary: 'Export the matching rows as CSV.',
    access: 'admin_users_log_list',
    query: AuditFilters,
  }),
}
