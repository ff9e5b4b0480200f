import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { instant } from '#shared/schemas.ts'

const AuditEntry = z.object({
  id: z.number().int(),
  at: instant,
  who: z.string(),
  /** The action, as in the audit log, such as `Changed status`. */
  act: z.string(),
  /** The target, such as `role 9`, or the name of a record that the caller can see. */
  target: z.string().nullable(),
  /** The affected record, if the caller can see it. */
  record: z.object({ type: z.string(), id: z.number().int() }).nullable(),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const dashboard = {
  lastChanges: endpoint({
    method: 'GET',
    path: '/admin/dashboard',
    summary: 'List everyone’s latest changes, with record names.',
    access: adminsOnly,
    response: z.object({ audit: z.array(AuditEntry) }),
  }),
}
