import { z } from 'zod'
import { TicketRow } from '#features/crm/support/contract.ts'
import { endpoint } from '#shared/endpoint.ts'
import { ActReply } from '#shared/record.contract.ts'
import { instant, recordId, text, wholeNumber } from '#shared/schemas.ts'
import { MailRow } from '#shared/mails.ts'

const id = z.number().int()
const CustomerUser = z.object({
  id,
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string(),
  role: z.string(),
  is_master: z.boolean(),
  status: id,
  banned: z.boolean(),
})

/** A section is null if the viewer lacks permission for its area. */
export const CustomerSheet = z.object({
  id,
  name: z.string(),
  organization: z
    .object({
      status: id,
      trial_end_date: z.string().nullable(),
      timezone: z.string(),
      state: z.string(),
      country: z.string(),
      assigned_name: z.string().nullable(),
      today: z.string(),
    })
    .nullable(),
  /** The user who was asked for. */
  user: CustomerUser.nullable(),
  /** The first users, with the total in `user_count`. */
  users: z.array(CustomerUser).nullable(),
  user_count: id.nullable(),
  onboardings: z
    .array(
      z.object({
        id,
        stage: z.string(),
        status: id,
        next_expected_date: z.string().nullable(),
        company: z.string(),
      }),
    )
    .nullable(),
  /** Tickets that are neither resolved nor closed; the ticket with the latest message comes first. */
  tickets: z.array(TicketRow).nullable(),
  /** The latest tickets that are resolved or closed. */
  settled_tickets: z.array(TicketRow).nullable(),
  /** Number of tickets, open and settled. */
  ticket_count: id.nullable(),
  /** The last notes about the organization and its users, newest first. */
  notes: z
    .array(
      z.object({
        id,
        body: z.string(),
        who: z.string(),
        created_at: instant,
        /** The user whom the note is about; null if it is about the organization. */
        about: z.object({ id, name: z.string() }).nullable(),
      }),
    )
    .nullable(),
  mails: z.array(MailRow).nullable(),
  updated_at: instant,
})
export type CustomerSheet = z.output<typeof CustomerSheet>

/** A phone call of the viewer with a customer. */
export const CustomerCall = z.object({
  id,
  started_at: instant,
  seconds: id,
  organization_id: id,
  organization: z.string(),
  /** Null if the caller isn't a user of the organization, or one whom the viewer can't see. */
  user_id: id.nullable(),
  user: z.string().nullable(),
})
export type CustomerCall = z.output<typeof CustomerCall>

export const longestCall = 86_400

/** Number of results of each kind. */
export const mostFound = 10

export const FoundCustomer = z.object({
  kind: z.enum(['organization', 'user']),
  /** ID of the organization or the user. */
  id,
  organization_id: id,
  name: z.string(),
  detail: z.string(),
})
export type FoundCustomer = z.output<typeof FoundCustomer>

/**
 * No permission covers this page, so the server checks the same roles as the route guard (docs/spec-gaps.md,
 * "People").
 */
export const customerView = {
  search: endpoint({
    method: 'GET',
    path: '/admin/customer-view',
    summary:
      'Search organizations by name and users by name, email, or phone number, up to 10 of each. Includes only records that the caller has permission to see.',
    access: 'signed-in',
    query: z.object({ q: text(200).default('') }),
    response: z.object({ data: z.array(FoundCustomer) }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/customer-view/{id}',
    shows: ['organization', 'customer_user', 'onboarding', 'ticket'],
    summary:
      'Get an overview of an organization, and of one of its users if given: details, users, onboardings, tickets, last notes, and recent emails. Each part requires the permission for its area.',
    access: 'signed-in',
    params: z.object({ id: recordId }),
    query: z.object({ user: recordId.optional() }),
    response: z.object({ data: CustomerSheet }),
  }),
  calls: endpoint({
    method: 'GET',
    path: '/admin/customer-view/calls',
    shows: ['organization'],
    summary: 'List the caller’s last 10 phone calls with customers, newest first.',
    access: 'signed-in',
    response: z.object({ data: z.array(CustomerCall) }),
  }),
  logCall: endpoint({
    method: 'POST',
    path: '/admin/customer-view/{id}/calls',
    summary: 'Log a phone call with an organization, or with one of its users, that ended now.',
    act: 'Logged a call',
    access: 'signed-in',
    params: z.object({ id: recordId }),
    body: z.object({ user: recordId.optional(), seconds: wholeNumber(0, longestCall) }),
    response: ActReply,
  }),
}
