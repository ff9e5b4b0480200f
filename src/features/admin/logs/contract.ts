import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { emptyIsAbsent, instant, plainDay, recordId, text, wholeNumber } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { listReply } from '#shared/record.contract.ts'

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
export const AuditFilters = z.object({
  page: pageNumber.default(1),
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
  act: z.string(),
  endpoint: z.string(),
  area: z.string(),
  record: z.number().int().nullable(),
  /** Name of the record; null if there is no record, it is in the trash, or the viewer cannot see it. */
  name: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  address: z.string(),
})
export type AuditRow = z.output<typeof AuditRow>

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
  export: endpoint({
    method: 'GET',
    path: '/admin/users/admin-log/export',
    summary: 'Export the matching rows as CSV.',
    access: 'admin_users_log_list',
    query: AuditFilters,
  }),
}
