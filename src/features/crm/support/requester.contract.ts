import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { messageReply, recordId, text, yesNo } from '#shared/schemas.ts'
import { editBaseFields } from '#shared/record.contract.ts'
import { TicketChanged } from '#features/crm/support/contract.ts'
import { customerInputs } from '#features/crm/support/new-ticket.contract.ts'
import { int, ofTicket, ticket } from '#features/crm/support/parts.contract.ts'

/** A user, or someone without an account: a name or an address, with a phone number. */
export const TicketRequester = z.object({ ...customerInputs, ...editBaseFields })

/** Someone without an account who was the requester of a ticket before, such as a caller. */
const EarlierCaller = z.object({
  name: z.string(),
  phone: z.string(),
  email: z.string().nullable(),
  /** 0: none. */
  org_id: int,
  organization: z.string().nullable(),
  /** Their newest ticket. */
  ticket: z.object({ id: int, title: z.string(), is_open: z.boolean() }),
})
export type EarlierCaller = z.output<typeof EarlierCaller>

/** Changing the requester of a ticket. */
export const ticketRequester = {
  search: endpoint({
    method: 'GET',
    path: '/admin/support/requesters/search',
    summary:
      'Search who can be the requester of a ticket, by any part of their name, email address, or phone number: up to 20 users of all organizations, and up to 5 people without an account, of the newest tickets.',
    access: ofTicket,
    query: z.object({ q: text(200).default('') }),
    response: z.object({
      data: z.array(
        z.object({
          id: int,
          name: z.string(),
          email: z.string().nullable(),
          organization_id: int,
          organization: z.string(),
        }),
      ),
      callers: z.array(EarlierCaller),
    }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/requester',
    summary:
      'Make a customer user or someone without an account the requester of a ticket, which gets the user’s organization. Returns 409 for an admin user’s own request and for a merged ticket, and with the current ticket if the version is out of date.',
    act: 'Changed requester',
    record: 'ticket',
    notFields: ['user_id'],
    access: ofTicket,
    params: ticket,
    body: TicketRequester,
    response: TicketChanged,
  }),
  setAuthor: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/message/{message}/author',
    summary:
      'Say that the requester, a customer user, wrote a message of another address, or undo this. The address is added to theirs, and replies go to the one from which they wrote last. Returns 409 for an address of someone else, and for an email whose sender wasn’t verified by the mail server that checks them.',
    act: 'Changed an author',
    access: ofTicket,
    params: ticket.extend({ message: recordId }),
    body: z.object({ is_requester: yesNo }),
    response: messageReply,
  }),
}
