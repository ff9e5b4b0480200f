import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { mostFiles } from '#shared/files.ts'
import {
  emptyIsNull,
  inputKinds,
  instant,
  oneOf,
  plainDay,
  recordId,
  requiredText,
  richText,
} from '#shared/schemas.ts'
import { dateNames, priorityName, statusName } from '#features/tasks/tasks/rules.ts'

/** Accepts one value or several, as a list or comma-separated. */
export const several = <S extends z.ZodType>(schema: S, most: number) =>
  z.preprocess(
    (value) =>
      (Array.isArray(value) ? value : value === '' || value === null ? [] : [value]).flatMap((one) =>
        typeof one === 'string' ? one.split(',') : [one],
      ),
    z.array(schema).max(most),
  )
export const person = z.object({ id: z.number().int(), first_name: z.string(), last_name: z.string() })
export const priority = oneOf(1, 2, 3, 4, 5, 6)

const int = z.number().int()
const organizations = z.array(z.object({ id: int, name: z.string() }))
const hours = z.preprocess(
  (value) =>
    typeof value === 'string' && /^\s*-?(\d+(\.\d*)?|\.\d+)\s*$/.test(value) ? Number(value) : value,
  z.number('Enter a number.').gt(0, 'Enter a number greater than 0.').lte(10_000, 'Enter 10,000 or less.'),
)
/** The number of a ticket, also as it is written: `#151`; empty is null. */
const ticketNumber = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().replace(/^#/, '') || null : value),
  recordId.nullable(),
)
const nameOf = ({ assigned_to: who }: { assigned_to: z.output<typeof person> | null }) =>
  who ? `${who.first_name} ${who.last_name}` : ''
const customersOf = ({ organization }: { organization: z.output<typeof organizations> }) =>
  organization.map(({ name }) => name).join(', ')

/**
 * The fields of a task, in the order of the CSV. The list shows the dates that the viewer can see; more than
 * two of them do not fit in a window of 1440 pixels.
 */
export const taskFields = {
  id: { label: 'Number', column: false, reply: int, csv: true },
  title: {
    label: 'Title',
    input: requiredText(300),
    reply: z.string(),
    empty: '',
    list: { sortBy: 'title', width: 285, always: true },
    csv: true,
  },
  task_type_id: {
    label: 'Type',
    of: 'task_types',
    input: emptyIsNull(recordId),
    reply: int.nullable(),
    empty: '',
    shownAs: 'task_type',
    list: { id: 'task_type', after: 'req_due_date', width: 120, hiddenAtFirst: true },
    csv: true,
  },
  priority: {
    label: 'Priority',
    input: priority,
    reply: int,
    empty: '3',
    words: (value) => priorityName(Number(value)),
    list: { sortBy: 'priority', width: 110 },
    csv: true,
  },
  status: {
    label: 'Status',
    reply: int,
    words: (value) => statusName(Number(value)),
    list: { sortBy: 'status', width: 120 },
    csv: true,
  },
  assigned_to: {
    label: 'Assignee',
    of: 'staff',
    reply: person.nullable(),
    empty: '',
    formValue: ({ assigned_to }: { assigned_to?: { id: number } | null }) => assigned_to?.id,
    shownAs: nameOf,
    list: { width: 150 },
    csv: true,
  },
  organization_ids: {
    label: 'Customers',
    of: 'organizations',
    column: false,
    input: several(recordId, 50),
    empty: [] as string[],
    formValue: ({ organization }: { organization?: { id: number }[] }) =>
      organization?.map(({ id }) => String(id)),
    shownAs: customersOf,
    list: { id: 'organization', width: 150 },
    csv: true,
  },
  due_date: {
    label: dateNames.due_date,
    input: emptyIsNull(plainDay),
    /** Also null if the viewer cannot see this date, as the other dates. */
    reply: z.string().nullable(),
    empty: '',
    list: { sortBy: 'due_date', align: 'right', width: 165 },
    csv: true,
  },
  dev_due_date: {
    label: dateNames.dev_due_date,
    input: emptyIsNull(plainDay),
    reply: z.string().nullable(),
    empty: '',
    list: { sortBy: 'dev_due_date', align: 'right', width: 165 },
    csv: true,
  },
  adh_due_date: {
    label: dateNames.adh_due_date,
    input: emptyIsNull(plainDay),
    reply: z.string().nullable(),
    empty: '',
    list: { sortBy: 'adh_due_date', align: 'right', width: 165, hiddenAtFirst: true },
    csv: true,
  },
  req_due_date: {
    label: dateNames.req_due_date,
    input: emptyIsNull(plainDay),
    reply: z.string().nullable(),
    empty: '',
    list: { sortBy: 'req_due_date', align: 'right', width: 165, hiddenAtFirst: true },
    csv: true,
  },
  /** Null if the viewer is not allowed to see it. */
  is_customer_notified: {
    label: 'Customer notified',
    reply: int.nullable(),
    list: { id: 'notified', width: 90, hiddenAtFirst: true },
  },
  created_at: {
    label: 'Created',
    column: false,
    reply: instant,
    list: { sortBy: 'created', align: 'right', width: 110, hiddenAtFirst: true },
    csv: true,
  },
  description: { label: 'Description', input: richText(500_000), empty: '' },
  estimate_hours: {
    label: 'Estimate (hours)',
    input: emptyIsNull(hours),
    reply: z.number().nullable(),
    empty: '',
  },
  ticket_id: {
    label: 'Support ticket',
    input: ticketNumber,
    reply: int.nullable(),
    empty: '',
  },
  /** The task's attachments; any that are not listed are removed. */
  file_ids: {
    label: 'Files',
    column: false,
    input: several(recordId, mostFiles).register(inputKinds, { kind: 'files' }),
    empty: [] as number[],
  },
} as const satisfies Fields
