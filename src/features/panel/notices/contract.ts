import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, messageReply, oneOf, recordId, yesNo } from '#shared/schemas.ts'

const int = z.number().int()

export const Notice = z.object({
  id: int,
  /**
   * A mention, an email of the caller that wasn’t delivered, an email that arrived, a ticket that was assigned to the caller, news of a
   * ticket that they follow or had snoozed, or a customer's rating of an answer.
   */
  kind: z.enum([
    'mention',
    'email_failed',
    'email_received',
    'assigned',
    'followed',
    'snooze_ended',
    'target_due',
    'rated',
  ]),
  who: z.string(),
  record_type: z.string(),
  record_id: int,
  /** ID of the element on the record's page; empty for the record as a whole. */
  anchor: z.string(),
  title: z.string(),
  words: z.string(),
  created_at: instant,
  read_at: instant.nullable(),
  /** Whether the caller gets no more notices about the record. */
  muted: z.boolean(),
  /** Number of older notices about the same record, if they are grouped by record; otherwise 0. */
  older: int,
})
export type Notice = z.output<typeof Notice>

const UnreadRecord = z.object({
  record_type: z.string(),
  record_id: int,
  /** ID of the newest unread notice about the record. */
  newest: int,
})
export type UnreadRecord = z.output<typeof UnreadRecord>

const NoticeSettings = z.object({ emails_assignments: z.boolean() })

/** What others did that concerns the caller. All roles have it, and everyone sees only their own. */
export const notices = {
  list: endpoint({
    method: 'GET',
    path: '/admin/notices',
    shows: ['notices'],
    summary:
      'List the caller’s notices, newest first, 30 at a time. Send `before` to get those before an ID, `grouped` to get the newest one about each record (read if all about the record are read), and `older_than` to get the others about the record of such a notice.',
    access: 'signed-in',
    query: z.object({
      unread: oneOf(0, 1).default(0),
      before: recordId.optional(),
      grouped: oneOf(0, 1).default(0),
      older_than: recordId.optional(),
    }),
    response: z.object({ data: z.array(Notice), more: z.boolean() }),
  }),
  count: endpoint({
    method: 'GET',
    path: '/admin/notices/unread',
    shows: ['notices'],
    summary: 'Count the records about which the caller has unread notices.',
    access: 'signed-in',
    response: z.object({ unread: int, records: z.array(UnreadRecord) }),
  }),
  settings: endpoint({
    method: 'GET',
    path: '/admin/notices/settings',
    shows: ['notices'],
    summary: 'Get whether the caller also gets an email when a lead or a ticket is assigned to them.',
    access: 'signed-in',
    response: z.object({ data: NoticeSettings }),
  }),
  setSettings: endpoint({
    method: 'POST',
    path: '/admin/notices/settings',
    summary: 'Set whether the caller also gets an email when a lead or a ticket is assigned to them.',
    act: 'Changed notice settings',
    access: 'signed-in',
    body: z.object({ emails_assignments: yesNo }),
    response: messageReply.extend({ data: NoticeSettings }),
  }),
  read: endpoint({
    method: 'POST',
    path: '/admin/notices/read/{id}',
    summary:
      'Mark one of the caller’s notices as read or unread, or, with `older`, it and the older ones about the same record.',
    act: 'Marked a notice',
    access: 'signed-in',
    params: z.object({ id: recordId }),
    body: z.object({ read: yesNo, older: yesNo.default(false) }),
    response: messageReply,
  }),
  readAll: endpoint({
    method: 'POST',
    path: '/admin/notices/read-all',
    summary: 'Mark the caller’s notices as read, up to and including the given one.',
    act: 'Marked notices as read',
    access: 'signed-in',
    body: z.object({ id: recordId }),
    response: messageReply,
  }),
  mute: endpoint({
    method: 'POST',
    path: '/admin/notices/mute/{id}',
    summary:
      'Mute or unmute the record of one of the caller’s notices. A muted record sends no more notices.',
    act: 'Muted a record',
    access: 'signed-in',
    params: z.object({ id: recordId }),
    body: z.object({ muted: yesNo }),
    response: messageReply,
  }),
}
