import { can, mayOpen } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'

/*
 * The form for a new ticket, as other features link to it. Support uses the features of customers, so these
 * can't use its contract.
 */

const form = '/support/generate'

/** Returns the URL of the form for a ticket of an organization or, if given, of one of its users. */
export const newTicketAddress = (organization: number, user?: number): string =>
  `${form}?organization=${organization}${user === undefined ? '' : `&requester=${user}`}`

/** Returns the URL of the form for a ticket of a caller without an account, by what was typed to find them. */
export const newTicketOfCaller = (typed: string): string => `${form}?caller=${encodeURIComponent(typed)}`

/** Returns the fields of the form that what was typed to find a caller fills: a number, an address, or a name. */
export function callerFields(typed: string) {
  const is = /^[\d+()./\s-]+$/.test(typed) ? 'phone' : typed.includes('@') ? 'email' : 'name'
  return { [`sender_${is}`]: typed }
}

/** Returns the name under which the form keeps its draft; `` for no organization, user, or caller. */
export const newTicketDraft = (
  organization: number | string,
  user: number | string = '',
  caller = '',
): string =>
  `ticket-new${[organization, user, caller && `caller-${caller}`].map((part) => part && `-${part}`).join('')}`

/** Returns whether a viewer can create tickets for customers. */
export const mayCreateTicketFor = (viewer: Viewer | undefined): boolean =>
  viewer !== undefined &&
  mayOpen(viewer.role_id, form) &&
  can(viewer, 'support_view') &&
  can(viewer, 'all_tickets_view')
