import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { code, emptyIsNull, instant, recordId, requiredText, text } from '#shared/schemas.ts'
import { priorityCode, priorityName } from '#features/crm/support/rules.ts'

const int = z.number().int()
const mostTags = 20

/** The fields of a ticket, in the order of the list and of the CSV. */
export const ticketFields = {
  id: {
    label: 'Number',
    column: false,
    reply: int,
    list: { sortBy: 'id', align: 'right', width: 70 },
    csv: true,
  },
  title: {
    label: 'Title',
    input: requiredText(300),
    reply: z.string(),
    list: { sortBy: 'title', width: 199, always: true },
    csv: true,
  },
  status: {
    label: 'Status',
    reply: int,
    shownAs: 'status_name',
    list: { sortBy: 'status', width: 175 },
    csv: true,
  },
  assignee_id: {
    label: 'Assignee',
    of: 'staff',
    input: emptyIsNull(recordId),
    reply: int.nullable(),
    shownAs: 'assignee',
    list: { id: 'assignee', width: 120 },
    csv: true,
  },
  priority: {
    label: 'Priority',
    input: priorityCode,
    reply: int,
    words: (value) => priorityName(Number(value)),
    list: { sortBy: 'priority', width: 95, hiddenAtFirst: true },
    csv: true,
  },
  category: {
    label: 'Category',
    input: code,
    reply: int,
    shownAs: 'category_name',
    list: { sortBy: 'category', width: 115 },
    csv: true,
  },
  /** Replies have `org_id` instead, which is 0 if there is no organization. */
  organization_id: {
    label: 'Organization',
    of: 'organizations',
    input: emptyIsNull(recordId),
    shownAs: 'organization',
    list: { id: 'organization', width: 110 },
    csv: true,
  },
  /** Display name of the requester. */
  requester: { label: 'Requester', column: false, reply: z.string(), list: { width: 95 }, csv: true },
  /** The requester is a customer user, someone without an account, or the admin user in `staff_id`. */
  customer_user_id: { label: 'User' },
  sender_name: { label: 'Requester’s name', detail: z.string() },
  sender_phone: { label: 'Requester’s phone', detail: z.string() },
  sender_email: { label: 'Requester’s email', detail: z.string().nullable() },
  tag_ids: {
    label: 'Tags',
    column: false,
    input: z.array(recordId).max(mostTags, `Choose up to ${mostTags} tags.`),
    reply: z.array(int),
    shownAs: 'tags',
    list: { id: 'tags', width: 140, hiddenAtFirst: true },
    csv: true,
  },
  customer_feedback: {
    label: 'Feedback requested',
    input: z.preprocess((v) => v === true || v === 1 || v === '1', z.boolean()),
    reply: z.boolean(),
  },
  delivery_date: {
    label: 'Delivery date',
    reply: z.string().nullable(),
    list: { sortBy: 'delivery_date', align: 'right', width: 129 },
    csv: true,
  },
  /** When the service target that ends first is missed; null while it is paused, or if there is none. */
  target_due_at: {
    label: 'Service target',
    column: false,
    reply: instant.nullable(),
    list: { id: 'target', sortBy: 'target_due_at', width: 150, hiddenAtFirst: true },
  },
  list_id: { label: 'Board list', reply: int.nullable() },
  list_card_title: { label: 'Card title', reply: z.string() },
  list_card_desc: { label: 'Card description', reply: z.string() },
  card_position: { label: 'Card position' },
  /** The ticket that has the messages of this one; lists leave out merged tickets. */
  merged_into: { label: 'Merged into' },
  /** Why the ticket was marked as spam; null if it isn’t spam. Lists leave out spam. */
  spam_reason: { label: 'Spam', reply: z.string().nullable() },
  /** The incident that the ticket is linked to. */
  incident_id: { label: 'Incident', words: (value) => `#${Number(value)}` },
  /** On an incident: shown above the composer of the tickets that are linked to it. */
  incident_note: { label: 'Incident note', input: text(300) },
  last_message_at: {
    label: 'Last message',
    column: false,
    reply: instant,
    list: { sortBy: 'last_message_at', align: 'right', width: 134 },
    csv: true,
  },
  created_at: { label: 'Created', column: false, reply: instant, csv: true },
} as const satisfies Fields
