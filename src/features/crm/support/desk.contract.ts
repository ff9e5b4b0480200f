import { z } from 'zod'
import { Away } from '#shared/away.contract.ts'
import { endpoint } from '#shared/endpoint.ts'
import { code, instant, messageReply, plainDay, recordId, yesNo } from '#shared/schemas.ts'
import { OperationRef, recordIds } from '#shared/record.contract.ts'
import { SavedView } from '#shared/views.contract.ts'
import { selectionOf } from '#shared/selection.ts'
import { TicketChanged, TicketFilters } from '#features/crm/support/contract.ts'
import { IncidentNote } from '#features/crm/support/incidents.contract.ts'
import { int, ofTicket, ticket } from '#features/crm/support/parts.contract.ts'
import { priorityCode, queues } from '#features/crm/support/rules.ts'

/* Work of the support desk: who does which ticket, and each admin user’s own view of the queues. */

/** Most tickets of one distribution, and most people who get them. */
export const mostDistributed = 500
const mostPeople = 50

/** The change to apply to each selected ticket. */
const TicketBulkChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), status: code }),
  z.object({ kind: z.literal('category'), category: code }),
  z.object({ kind: z.literal('priority'), priority: priorityCode }),
  /** Null unassigns the tickets. */
  z.object({ kind: z.literal('assign'), assignee_id: recordId.nullable() }),
  /** Up to `mostDistributed` tickets are assigned to these people in turn. */
  z.object({
    kind: z.literal('distribute'),
    assignee_ids: z.array(recordId).min(1, 'Choose at least one person.').max(mostPeople),
  }),
  /** Null removes the date. */
  z.object({ kind: z.literal('delivery'), delivery_date: plainDay.nullable() }),
  /** Null unlinks the tickets from their incidents. */
  z.object({ kind: z.literal('incident'), incident_id: recordId.nullable() }),
  z.object({ kind: z.literal('tags'), tag_id: recordId, add: z.boolean() }),
  z.object({ kind: z.literal('spam'), spam: z.boolean() }),
])
export type TicketBulkChange = z.output<typeof TicketBulkChange>

export const SnoozeUntil = z.object({ until: instant.nullable() })
/** Snoozes that a new one replaced, so that its undo restores them. */
const earlier = z.array(SnoozeUntil.extend({ id: recordId }))

/** Titles of up to 20 tickets that were left out. */
const leftOut = z.array(z.object({ id: int, title: z.string(), why: z.string() }))

export const desk = {
  changeMany: endpoint({
    method: 'POST',
    path: '/admin/support/change-tickets',
    summary:
      'Apply one change to many tickets in one operation that can be undone. Returns 409 if the number of matching tickets has changed. Tickets that the new assignee can’t open, or that can’t be linked to an incident, are left out and named.',
    act: 'Edited in bulk',
    access: ofTicket,
    body: z.object({ selection: selectionOf(TicketFilters), change: TicketBulkChange }),
    response: z.object({
      message: z.string(),
      /** Null if nothing changed. */
      operation: OperationRef.nullable(),
      left_out: leftOut,
    }),
  }),
  noteMany: endpoint({
    method: 'POST',
    path: '/admin/support/note-tickets',
    summary:
      'Add one internal note to up to 100 tickets in one operation that can be undone. Merged tickets, and those in the trash, are left out and named.',
    act: 'Commented',
    access: ofTicket,
    body: IncidentNote,
    response: z.object({ message: z.string(), operation: OperationRef, left_out: leftOut }),
  }),
  snoozeMany: endpoint({
    method: 'POST',
    path: '/admin/support/snooze-tickets',
    summary:
      'Leave many tickets out of the caller’s queues until a time or, if `until` is null, until the customer writes. Returns the IDs and the snoozes that it replaced, for `unsnooze-tickets`.',
    act: 'Snoozed',
    access: ofTicket,
    body: SnoozeUntil.extend({ selection: selectionOf(TicketFilters) }),
    response: z.object({ message: z.string(), data: z.array(int), earlier }),
  }),
  unsnoozeMany: endpoint({
    method: 'POST',
    path: '/admin/support/unsnooze-tickets',
    summary:
      'Return snoozed tickets to the caller’s queues or, if they are among `earlier`, to their earlier snooze.',
    act: 'Ended snoozing',
    access: ofTicket,
    body: z.object({ ids: recordIds, earlier: earlier.max(10_000).default([]) }),
    response: messageReply,
  }),
  assignable: endpoint({
    method: 'GET',
    path: '/admin/support/assignable',
    shows: ['staff'],
    summary: 'List the admin users who can be assigned tickets, by name, with those who are away.',
    access: ofTicket,
    response: z.object({
      data: z.array(z.object({ id: int, name: z.string(), away: Away.nullable() })),
    }),
  }),
  queues: endpoint({
    method: 'GET',
    path: '/admin/support/queues',
    shows: ['ticket', 'views', 'received-mails'],
    summary:
      'Count the tickets in each of the caller’s queues and in each saved view of the list, and the emails that wait to be sorted.',
    access: 'all_tickets_list',
    response: z.object({
      /** At most `mostCounted + 1` each. */
      data: z.record(z.enum(queues), int),
      /** Up to 30 saved views, the caller’s own ones first. */
      views: z.array(
        SavedView.extend({
          /** At most `mostCounted + 1`; null if the view has a search, which takes too long to count. */
          count: int.nullable(),
        }),
      ),
      /** Emails that belong to no record yet; null for callers who can’t see them. */
      unsorted: int.nullable(),
    }),
  }),
  markUnread: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/unread',
    summary: 'Mark a ticket as unread for the caller.',
    act: 'Marked as unread',
    access: ofTicket,
    params: ticket,
    response: messageReply,
  }),
  follow: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/follow',
    summary: 'Follow a ticket, or stop following it. Followers get a notice of each message and comment.',
    act: 'Followed',
    access: ofTicket,
    params: ticket,
    body: z.object({ follow: yesNo }),
    response: messageReply,
  }),
  snooze: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/snooze',
    summary:
      'Leave a ticket out of the caller’s queues until a time or, if `until` is null, until the customer writes.',
    act: 'Snoozed',
    access: ofTicket,
    params: ticket,
    body: SnoozeUntil,
    response: messageReply,
  }),
  markSpam: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/spam',
    summary: 'Mark a ticket as spam, which leaves it out of lists except for the queue Spam, or undo this.',
    act: 'Marked as spam',
    access: ofTicket,
    params: ticket,
    body: z.object({ spam: yesNo }),
    response: TicketChanged,
  }),
  unsnooze: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/unsnooze',
    summary: 'Return a snoozed ticket to the caller’s queues.',
    act: 'Ended snoozing',
    access: ofTicket,
    params: ticket,
    response: messageReply,
  }),
}
