import { can, isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'

/** The client policy of A §6: a ticket is seen by its owner, and deleted by an admin or the owner. */
export const ownsTicket = (viewer: Pick<Viewer, 'id'>, ticket: { staff_id: number | null }): boolean => ticket.staff_id === viewer.id

/** Who sees a ticket (docs/spec-gaps.md G20). */
export const seesTicket = (viewer: Viewer, ticket: { staff_id: number | null }): boolean =>
  can(viewer, 'all_tickets_view') || (can(viewer, 'support_view') && ownsTicket(viewer, ticket))

export const deletesTicket = (viewer: Viewer, ticket: { staff_id: number | null }): boolean =>
  can(viewer, 'all_tickets_delete') && (isAdminRole(viewer.role_id) || ownsTicket(viewer, ticket))

/** What a new ticket begins with, and what a customer's answer sets again. */
export const openStatus = 0
export const inDevelopment = 2
/** Resolved and closed: nobody has to do anything. */
export const settledStatuses: readonly number[] = [4, 5]
/** In these a customer's answer opens the ticket again. */
export const restingStatuses: readonly number[] = [3, 4, 5]
