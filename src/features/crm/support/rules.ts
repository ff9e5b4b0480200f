import { can, isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'

/**
 * Reports whether the viewer owns a ticket. Under the client policy in A §6, the owner can see the ticket,
 * and an admin or the owner can delete it.
 */
export const ownsTicket = (viewer: Pick<Viewer, 'id'>, ticket: { staff_id: number | null }): boolean =>
  ticket.staff_id === viewer.id

/** Reports whether the viewer can see a ticket (docs/spec-gaps.md G20). */
export const seesTicket = (viewer: Viewer, ticket: { staff_id: number | null }): boolean =>
  can(viewer, 'all_tickets_view') || (can(viewer, 'support_view') && ownsTicket(viewer, ticket))

export const deletesTicket = (viewer: Viewer, ticket: { staff_id: number | null }): boolean =>
  can(viewer, 'all_tickets_delete') && (isAdminRole(viewer.role_id) || ownsTicket(viewer, ticket))

/** Status of a new ticket, and of a ticket that a customer's reply reopens. */
export const openStatus = 0
export const inDevelopment = 2
/** Resolved and closed: no work is left to do. */
export const settledStatuses: readonly number[] = [4, 5]
/** Statuses in which a customer's reply reopens the ticket. */
export const restingStatuses: readonly number[] = [3, 4, 5]
