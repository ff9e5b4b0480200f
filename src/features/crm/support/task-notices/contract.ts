import { z } from 'zod'
import { endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { mailState } from '#shared/mails.ts'
import { recordTypeNames } from '#shared/records.ts'
import { code, instant, recordId, requiredText, richText } from '#shared/schemas.ts'
import { formFileIds } from '#features/crm/support/parts.contract.ts'
import { disciplineNames } from '#features/tasks/tasks/rules.ts'

/* Messages to the customers of a delivered task: one for each, sent or skipped, after which the task is set as notified. */

const int = z.number().int()

/** As for the flag of a task, and for a reply to a ticket. */
const access: DecidedAccess = {
  says: 'view_task_notify and all_tickets_view',
  permissions: ['view_task_notify', 'all_tickets_view'],
  allows: ({ permissions }) => permissions.has('view_task_notify') && permissions.has('all_tickets_view'),
}

/** Why a customer can't get an email. */
export const unreachable = {
  banned: 'The requester is banned',
  'no address': 'No email address',
  bounced: 'Emails to this address bounce',
} as const
const whys = z.enum(Object.keys(unreachable) as [keyof typeof unreachable])

const Notice = z.object({
  state: z.enum(['sent', 'skipped']),
  reason: z.string(),
  who: z.string(),
  /** Whether the caller did it. */
  is_own: z.boolean(),
  at: instant,
  /** The email of a message that was sent. */
  mail: z
    .object({
      id: int,
      state: mailState,
      error: z.string().nullable(),
      /** Number of seconds that the author has left to undo the message; null if it can't be undone. */
      undo_seconds: int.nullable(),
    })
    .nullable(),
  /** The ticket in which the same requester got the message; null if it was sent or skipped in this one. */
  sent_in: int.nullable(),
})

/** A customer of a task: the requester of a ticket that the task came from. */
export const TaskCustomer = z.object({
  ticket_id: int,
  title: z.string(),
  /** 0: none. */
  org_id: int,
  organization: z.string().nullable(),
  status: int,
  requester: z.string(),
  email: z.string().nullable(),
  phone: z.string(),
  why: whys.nullable(),
  asked_at: instant,
  /** The first words of the customer’s first message. */
  words: z.string(),
  /** The first ticket of the same requester, if this one isn’t. */
  same_as: int.nullable(),
  /** The message to start from, as HTML. */
  proposal: z.string(),
  subject: z.string(),
  /** Null as long as the customer was neither sent a message nor skipped. */
  notice: Notice.nullable(),
  /** What became of the customer after an earlier delivery of the task. */
  earlier: Notice.pick({ state: true, at: true }).nullable(),
})
export type TaskCustomer = z.output<typeof TaskCustomer>

export const TaskNotices = z.object({
  id: int,
  title: z.string(),
  discipline: z.enum(disciplineNames),
  /** Type of the record: a development or a designer task. */
  type: z.enum(recordTypeNames),
  status_name: z.string(),
  status_tone: z.string(),
  is_delivered: z.boolean(),
  delivered_at: instant.nullable(),
  delivered_by: z.string().nullable(),
  /** Null if there is none, or the caller can’t see it. */
  due_date: z.string().nullable(),
  is_notified: z.boolean(),
  customers: z.array(TaskCustomer),
  /** Number of customers without a notice whose tickets the caller can’t see. */
  hidden: int,
})
export type TaskNotices = z.output<typeof TaskNotices>

const message = richText(200_000).refine(({ unclean }) => unclean.trim() !== '', 'This field is required.')
export const NoticeMessage = z.object({
  message,
  file_ids: formFileIds,
  /** Status to set on the ticket. */
  status: code.optional(),
})
export const SkipNotice = z.object({ reason: requiredText(500) })

const task = z.object({ task: recordId })
const customer = z.object({ task: recordId, ticket: recordId })
const path = '/admin/support/task-notices/{task}'
const done = z.object({
  message: z.string(),
  /** Whether this was the last customer, so that the task is set as notified. */
  is_notified: z.boolean(),
})

export const taskNotices = {
  show: endpoint({
    method: 'GET',
    path,
    shows: ['task', 'designer_task', 'ticket', 'mails'],
    summary:
      'List the customers of a task (requesters of the ticket that it came from, and of the tickets of the same incident), with the message to start from and what became of each.',
    access,
    params: task,
    response: z.object({ data: TaskNotices }),
  }),
  preview: endpoint({
    method: 'POST',
    reads: true,
    path: `${path}/{ticket}/preview`,
    summary: 'Get the email of a message to a customer of a task, as it would be sent.',
    access,
    params: customer,
    maxBytes: 1_000_000,
    body: z.object({ message }),
    response: z.object({ data: z.object({ subject: z.string(), html: z.string() }) }),
  }),
  send: endpoint({
    method: 'POST',
    path: `${path}/{ticket}/send`,
    summary:
      'Reply to the ticket of a customer that their task is delivered. Other tickets of the same requester are skipped. After the last customer, the task is set as notified. Returns 409 if someone else did it, or if the task is no longer delivered.',
    act: 'Notified a customer',
    access,
    params: customer,
    maxBytes: 1_000_000,
    body: NoticeMessage,
    response: done.extend({
      data: z.object({ message_id: int, mail_id: int, undo_seconds: int }),
    }),
  }),
  skip: endpoint({
    method: 'POST',
    path: `${path}/{ticket}/skip`,
    summary:
      'Skip a customer of a task, with a reason. After the last customer, the task is set as notified. Returns 409 if someone else did it, or if the task is no longer delivered.',
    act: 'Skipped a customer',
    access,
    params: customer,
    body: SkipNotice,
    response: done,
  }),
  undo: endpoint({
    method: 'POST',
    path: `${path}/{ticket}/undo`,
    summary:
      'Undo skipping a customer of a task, which is then no longer set as notified. A message is undone by canceling its email.',
    act: 'Undid skipping a customer',
    access,
    params: customer,
    response: done,
  }),
}
