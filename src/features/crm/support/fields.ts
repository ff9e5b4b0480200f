import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { code, emptyIsNull, instant, recordId, requiredText } from '#shared/schemas.ts'

const int = z.number().int()

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
    list: { sortBy: 'title', width: 240, always: true },
    csv: true,
  },
  status: {
    label: 'Status',
    reply: int,
    shownAs: 'status_name',
    list: { sortBy: 'status', width: 190 },
    csv: true,
  },
  category: {
    label: 'Category',
    input: code,
    reply: int,
    shownAs: 'category_name',
    list: { sortBy: 'category', width: 125 },
    csv: true,
  },
  /** Replies have `org_id` instead, which is 0 if there is no organization. */
  organization_id: {
    label: 'Organization',
    input: emptyIsNull(recordId),
    shownAs: 'organization',
    list: { id: 'organization', width: 130 },
    csv: true,
  },
  /** Display name of the requester. */
  requester: { label: 'Requester', column: false, reply: z.string(), list: { width: 110 }, csv: true },
  customer_feedback: {
    label: 'Feedback requested',
    input: z.preprocess((v) => v === true || v === 1 || v === '1', z.boolean()),
    reply: z.boolean(),
  },
  delivery_date: {
    label: 'Delivery date',
    reply: z.string().nullable(),
    list: { sortBy: 'delivery_date', align: 'right', width: 160 },
    csv: true,
  },
  list_id: { label: 'Board list', reply: int.nullable() },
  list_card_title: { label: 'Card title', reply: z.string() },
  list_card_desc: { label: 'Card description', reply: z.string() },
  card_position: { label: 'Card position' },
  last_message_at: {
    label: 'Last message',
    column: false,
    reply: instant,
    list: { sortBy: 'last_message_at', align: 'right', width: 120 },
    csv: true,
  },
  created_at: { label: 'Created', column: false, reply: instant, csv: true },
} as const satisfies Fields
