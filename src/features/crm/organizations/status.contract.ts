import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { ActReply, recordIds } from '#shared/record.contract.ts'
import { emptyIsAbsent, plainDay, recordId, wholeNumber } from '#shared/schemas.ts'
import { OrganizationFilters } from '#features/crm/organizations/contract.ts'
import { organizationStatus as status } from '#features/crm/organizations/fields.ts'

/** Status change for one or more organizations. Setting an end date requires a trial. */
const StatusChange = z
  .object({
    status,
    org_id: recordId.optional(),
    org_ids: recordIds.optional(),
    trial_end_date: emptyIsAbsent(plainDay),
  })
  .refine(({ org_id, org_ids }) => (org_id === undefined) !== (org_ids === undefined), {
    path: ['org_ids'],
    message: 'Send either org_id or org_ids.',
  })
  .refine((sent) => sent.trial_end_date === undefined || sent.status === 2, {
    path: ['trial_end_date'],
    message: 'Only trials can have an end date.',
  })

/** Status change for all organizations that match the filters, instead of a selection. */
const MatchingChange = z
  .object({
    status,
    filters: OrganizationFilters.partial(),
    trial_end_date: emptyIsAbsent(plainDay),
    expected: wholeNumber(0, 1_000_000).optional(),
  })
  .refine((sent) => sent.trial_end_date === undefined || sent.status === 2, {
    path: ['trial_end_date'],
    message: 'Only trials can have an end date.',
  })

const StatusReply = ActReply.extend({ changed: z.number().int(), unchanged: z.number().int() })

export const statusChanges = {
  changeStatus: endpoint({
    method: 'GET',
    writes: true,
    path: '/admin/users/change-organization-status',
    summary:
      'Set the status of one organization (org_id) or several (org_ids). A trial requires an end date.',
    act: 'Changed status',
    access: 'all_organization_update_status',
    query: StatusChange,
    response: StatusReply,
  }),
  changeMatching: endpoint({
    method: 'POST',
    path: '/admin/users/change-organization-status/matching',
    summary:
      'Set the status of all organizations that match the filters, up to 10,000. Returns 409 if the number of matches differs from the expected number.',
    act: 'Changed status',
    access: 'all_organization_update_status',
    product: ['body.filters.product'],
    body: MatchingChange,
    response: StatusReply,
  }),
  previewStatus: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/change-organization-status/preview',
    summary:
      'Preview a status change: how many organizations would change, already have the status, or can’t be changed.',
    access: 'all_organization_update_status',
    product: ['body.filters.product'],
    body: z.object({
      status,
      org_ids: recordIds.optional(),
      filters: OrganizationFilters.partial().optional(),
      trial_end_date: emptyIsAbsent(plainDay),
    }),
    response: z.object({ changing: z.number().int(), already: z.number().int(), refused: z.number().int() }),
  }),
}
