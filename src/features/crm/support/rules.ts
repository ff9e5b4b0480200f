import { can, isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { oneOf } from '#shared/schemas.ts'

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

/** Returns why a person can't edit an internal note; undefined if they can. */
export const whyNotEditNote = (
  { created_by }: { created_by: number },
  { id }: Pick<Viewer, 'id'>,
): string | undefined => (created_by === id ? undefined : 'Only the author of this note can edit it.')

/** Returns why a person can't delete an internal note; undefined if they can. */
export const whyNotDeleteNote = (
  { created_by }: { created_by: number },
  { id, role_id }: Pick<Viewer, 'id' | 'role_id'>,
): string | undefined =>
  created_by === id || isAdminRole(role_id)
    ? undefined
    : 'Only the author of this note and admins can delete it.'

/** The queues of the desk, which each admin user sees for themselves: docs/product.md, “Queues of tickets”. */
export const queues = ['unread', 'mine', 'unassigned', 'unanswered', 'waiting', 'due', 'spam'] as const
export type Queue = (typeof queues)[number]

/** Highest number of tickets that is counted for a saved view; above it, `1,000+` is shown. */
export const mostCounted = 1000

/**
 * Events that a report counts besides new tickets: the first answer, any reply, changes of the status, service targets,
 * and ratings.
 */
export const ticketEvents = [
  'answered',
  'replied',
  'solved',
  'reopened',
  'target_met',
  'target_missed',
  'rated_good',
  'rated_bad',
] as const
export type TicketEvent = (typeof ticketEvents)[number]

/** Status of a new ticket, and of a ticket that a customer's reply reopens. */
export const openStatus = 0
export const inDevelopment = 2
export const waitingOnCustomer = 3
/** Resolved and closed: no work is left to do. */
export const settledStatuses: readonly number[] = [4, 5]
/** Statuses in which a customer's reply reopens the ticket. */
export const restingStatuses: readonly number[] = [3, 4, 5]

/** Priorities of a ticket, most urgent first, with the codes of tasks (B §9). */
export const ticketPriorities = [
  { id: 1, name: 'Urgent', tone: 'red' },
  { id: 2, name: 'High', tone: 'orange' },
  { id: 3, name: 'Medium', tone: 'blue' },
  { id: 4, name: 'Low', tone: 'gray' },
] as const
export const priorityCode = oneOf(1, 2, 3, 4)
export const priorityName = (id: number): string =>
  ticketPriorities.find((one) => one.id === id)?.name ?? `#${id}`

/** Kinds of service targets, with their names. */
export const clockKinds = {
  first_response: 'First response',
  next_response: 'Next response',
  resolution: 'Resolution',
} as const
export type ClockKind = keyof typeof clockKinds
export const clockKindNames = Object.keys(clockKinds) as ClockKind[]

/** Ages of open tickets in the report. */
export const ageNames = ['Today', '1 to 3 days', '4 to 7 days', '1 to 4 weeks', 'Over 4 weeks'] as const
