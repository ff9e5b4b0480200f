import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { requiredText, storable, wholeNumber } from '#shared/schemas.ts'

/** The lists offered by filters and forms; `toned` means that each entry has a color. */
export const lists = {
  statuses: { label: 'Statuses', one: 'status', toned: true },
  reject_reasons: { label: 'Reject reasons', one: 'reject reason', toned: false },
  colors: { label: 'Priorities', one: 'priority', toned: true },
  services: { label: 'Services', one: 'service', toned: false },
  sources: { label: 'Sources', one: 'source', toned: false },
  cog_types: { label: 'Types of goods', one: 'type', toned: false },
  tags: { label: 'Tags', one: 'tag', toned: false },
  session_types: { label: 'Session types', one: 'session type', toned: false },
  quick_task_types: { label: 'Quick task types', one: 'type', toned: true },
  contract_statuses: { label: 'Contract statuses', one: 'status', toned: true },
  onboarding_stages: { label: 'Onboarding stages', one: 'stage', toned: false },
  ticket_statuses: { label: 'Ticket statuses', one: 'status', toned: true },
  ticket_categories: { label: 'Ticket categories', one: 'category', toned: true },
  ticket_tags: { label: 'Ticket tags', one: 'tag', toned: false },
  board_lists: { label: 'Support board lists', one: 'list', toned: false },
  notification_types: { label: 'Notification types', one: 'type', toned: true },
  teams: { label: 'Teams', one: 'team', toned: false },
  customer_roles: { label: 'Customer roles', one: 'role', toned: false },
  questions: { label: 'Prospecting questions', one: 'question', toned: false },
} as const
export type ListName = keyof typeof lists
export const listNames = Object.keys(lists) as [ListName, ...ListName[]]

export const tones = [
  'gray',
  'red',
  'pink',
  'violet',
  'indigo',
  'blue',
  'cyan',
  'teal',
  'green',
  'lime',
  'yellow',
  'orange',
] as const

export const ListEntry = z.object({
  /** Identifies the entry: its ID as a string or, if records store the name, the name. */
  key: z.string(),
  name: z.string(),
  tone: z.string().nullable(),
  /** How likely a lead in this status is won, in percent; null in other lists. */
  probability: z.number().int().nullable(),
  /** After how many days without activity a lead in this status is stuck, 0 if never; null in other lists. */
  stuck_days: z.number().int().nullable(),
  /** Whether leads in this status have a scheduled (2) or completed (3) demo; null if neither, and in other lists. */
  for_demo: z.number().int().nullable(),
  /** Why the entry can never be removed, whether used or not; null if it can. */
  fixed: z.string().nullable(),
})
export type ListEntry = z.output<typeof ListEntry>

const params = z.object({ list: z.enum(listNames) })
const key = storable(z.string('This must be text.').min(1, 'This field is required.').max(300))
const name = requiredText(200)
const probability = wholeNumber(0, 100)
const stuckDays = wholeNumber(0, 999)
const tone = z.enum(tones, 'Choose one of the available colors.')
const Changed = z.object({ message: z.string(), data: z.array(ListEntry) })

export const optionLists = {
  all: endpoint({
    method: 'GET',
    path: '/admin/lists',
    shows: ['lists'],
    summary: 'Get every option list with its entries in order.',
    access: adminsOnly,
    response: z.object({ data: z.record(z.enum(listNames), z.array(ListEntry)) }),
  }),
  uses: endpoint({
    method: 'GET',
    path: '/admin/lists/{list}/uses',
    shows: ['lists'],
    summary: 'Count the records that use each entry of a list, as text by the key of the entry.',
    access: adminsOnly,
    params,
    response: z.object({ data: z.record(z.string(), z.string()) }),
  }),
  add: endpoint({
    method: 'POST',
    path: '/admin/lists/{list}/add',
    summary: 'Add an entry to the end of a list.',
    act: 'Added a list entry',
    access: adminsOnly,
    params,
    body: z.object({ name, tone: tone.optional() }),
    response: Changed,
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/lists/{list}/change',
    summary:
      'Rename a list entry, or change its color, or the probability, the days without activity, or the kind of demo of a lead status. Records that use it show the new name.',
    act: 'Edited a list entry',
    access: adminsOnly,
    params,
    body: z.object({
      key,
      name: name.optional(),
      tone: tone.optional(),
      probability: probability.optional(),
      stuck_days: stuckDays.optional(),
      for_demo: z.literal([2, 3]).nullable().optional(),
    }),
    response: Changed,
  }),
  order: endpoint({
    method: 'POST',
    path: '/admin/lists/{list}/order',
    summary: 'Reorder a list. Returns 409 with the list if its entries have changed.',
    act: 'Reordered a list',
    access: adminsOnly,
    params,
    body: z.object({ keys: z.array(key).min(1).max(1000) }),
    response: Changed,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/admin/lists/{list}/remove',
    summary: 'Remove a list entry. Returns 409 with the usage count if any record uses it.',
    act: 'Removed a list entry',
    access: adminsOnly,
    params,
    body: z.object({ key }),
    response: Changed,
  }),
}
