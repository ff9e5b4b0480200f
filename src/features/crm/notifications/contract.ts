import { z } from 'zod'
import { can, isAdminRole } from '#shared/access.ts'
import { endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { detailsOf, inputsOf, repliesOf } from '#shared/field.ts'
import { code, emptyIsAbsent, recordId, text, wholeNumber, flag } from '#shared/schemas.ts'
import { largestFile } from '#shared/files.ts'
import { manyEmails, notificationFields, splitEmails } from '#features/crm/notifications/fields.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, editBaseFields } from '#shared/record.contract.ts'

export const notificationsPerPage = 20
export const notificationSorts = ['id', 'subject', 'status', 'type'] as const

/** `search` matches part of the subject; `status`: 0 drafts, 1 sent. */
export const NotificationFilters = z.object({
  page: pageNumber.default(1),
  status: flag.optional(),
  search: text(200).default(''),
  type: code.optional(),
  column: z.enum(notificationSorts).default('id'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export type NotificationFilters = z.output<typeof NotificationFilters>

const int = z.number().int()
export const NotificationRow = z.object({
  ...repliesOf(notificationFields),
  version: int,
  /** Number of chosen addresses that the caller can't see: users of customers of other products. */
  hidden_emails: int,
})
export type NotificationRow = z.output<typeof NotificationRow>
export const Notification = NotificationRow.extend(detailsOf(notificationFields))
export type Notification = z.output<typeof Notification>

export const NewNotification = z.object({
  ...inputsOf(notificationFields),
  /** The draft to send. */
  id: emptyIsAbsent(recordId),
  /** 1 if the notification is saved, but not sent yet. */
  draft: emptyIsAbsent(flag),
  /** 1 if the notification is sent to the author only, and not saved. */
  test: emptyIsAbsent(flag),
  /** Number of recipients shown to the author; 409 if it has changed since. */
  expected: emptyIsAbsent(wholeNumber(0, 10_000_000)),
})
export const NotificationChange = z.object(inputsOf(notificationFields)).partial().extend(editBaseFields)

const admins: DecidedAccess = {
  says: 'Super Admins and Admins with send_new_list',
  permissions: ['send_new_list'],
  allows: (viewer) => isAdminRole(viewer.role_id) && can(viewer, 'send_new_list'),
}
const params = z.object({ id: recordId })
const files = { notification_image: { most: 1, maxBytes: largestFile, kinds: ['image'] } } as const

export const notifications = {
  sendAll: endpoint({
    method: 'POST',
    path: '/admin/users/send-notification-all',
    summary:
      'Send a notification to all subscribed customer users or to specific addresses. Use `draft` to save it without sending, or `test` to send it only to the caller.',
    act: 'Sent a notification',
    access: admins,
    files,
    maxBytes: 1_000_000,
    record: 'notification',
    notFields: ['id', 'draft', 'test', 'expected'],
    body: NewNotification,
    response: z.object({ message: z.string(), data: Notification.nullable() }),
  }),
  recipients: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/notification-recipients',
    summary: 'Count a notification’s recipients, and the excluded users by reason.',
    access: admins,
    // Counts incomplete addresses as excluded, because the author is still typing.
    body: z.object({ emails: z.preprocess(splitEmails, manyEmails) }),
    response: z.object({ total: int, left_out: z.array(z.object({ why: z.string(), count: int })) }),
  }),
  preview: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/notification-preview',
    summary: 'Preview a notification as the caller would receive it.',
    access: admins,
    maxBytes: 1_000_000,
    body: NewNotification.pick({ subject: true, message: true }),
    response: z.object({ data: z.object({ subject: z.string(), html: z.string() }) }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/admin/users/get-all-notifications',
    shows: ['notification'],
    summary: 'List notifications with filters, newest first, 20 per page.',
    access: 'all_notifications_list',
    query: NotificationFilters,
    response: listReply(NotificationRow),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/users/notification/{id}',
    shows: ['notification'],
    summary: 'Get a notification.',
    access: 'all_notifications_list',
    params,
    response: z.object({ data: Notification, may_update: z.boolean() }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/admin/users/notification/{id}',
    summary:
      'Update a draft. Only admins and category moderators can do this. Returns 409 for a sent notification.',
    act: 'Edited',
    access: 'all_notifications_list',
    params,
    files,
    maxBytes: 1_000_000,
    record: 'notification',
    body: NotificationChange,
    response: changedReply(Notification),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/users/notification/{id}',
    summary: 'Move a notification to trash.',
    act: 'Moved to trash',
    access: admins,
    params,
    response: ActReply,
  }),
}
