import { can, isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'

/** Reports whether the viewer owns a ticket. The client policy of A §6: its owner sees it, an admin or the owner deletes it. */
export const ownsTicket = (viewer: Pick<Viewer, 'id'>, ticket: { staff_id: number | null }): boolean =>
  ticket.staff_id === viewer.id

/** Reports whether the viewer can see a ticket (docs/spec-gaps.md G20). */
export const seesTicket = (viewer: Viewer, ticket: { staff_id: number | null }): boolean =>
  can(viewer, 'all_tickets_view') || (can(viewer, 'support_view') && ownsTicket(viewer, ticket))

export const deletesTicket = (viewer: Viewer, ticket: { staff_id: number | null }): boolean =>
  can(viewer, 'all_tickets_delete') && (isAdminRole(viewer.role_id) || ownsTicket(viewer, ticket))

/** Status of a new ticket, and after a customer's answer. */
export const openStatus = 0
export const inDevelopment = 2
/** Resolved and closed: nothing is left to do. */
export const settledStatuses: readonly number[] = [4, 5]
/** Statuses in which a customer's answer reopens the ticket. */
export const restingStatuses: readonly number[] = [3, 4, 5]
