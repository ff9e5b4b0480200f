import { z } from 'zod'
import { byName, type Fields } from '#shared/field.ts'
import { code, emptyIsNull, instant, oneOf, plainDay, recordId, requiredText, text } from '#shared/schemas.ts'
import { entities, quickPriorities, quickStatuses } from '#features/crm/quick-tasks/rules.ts'

const int = z.number().int()

/** The fields of a quick task, in the order of the list. */
export const quickTaskFields = {
  id: { label: 'Number', column: false, reply: int },
  title: {
    label: 'Title',
    input: requiredText(200),
    reply: z.string(),
    empty: '',
    list: { sortBy: 'title', width: 255, always: true },
  },
  text: { label: 'Details', input: text(5000), reply: z.string(), empty: '' },
  status: {
    label: 'Status',
    reply: int,
    words: byName(quickStatuses),
    list: { sortBy: 'status', width: 100 },
  },
  type: { label: 'Type', input: code, reply: int, empty: '1', list: { width: 110 } },
  priority: {
    label: 'Priority',
    input: oneOf(1, 2, 3, 4, 5, 6),
    reply: int,
    empty: '3',
    words: byName(quickPriorities),
    list: { sortBy: 'priority', width: 100 },
  },
  due_date: {
    label: 'Due date',
    input: emptyIsNull(plainDay),
    reply: z.string().nullable(),
    empty: '',
    list: { sortBy: 'due_date', align: 'right', width: 160 },
  },
  person: {
    label: 'Assignee',
    of: 'staff',
    input: recordId,
    reply: int,
    empty: '',
    shownAs: 'person_name',
    list: { width: 140 },
  },
  created_by: {
    label: 'Created by',
    reply: int,
    shownAs: 'creator_name',
    list: { id: 'creator', width: 140 },
  },
  entity: {
    label: 'Related to',
    input: emptyIsNull(z.enum(entities)),
    reply: z.enum(entities).nullable(),
    empty: '',
    list: { id: 'about', width: 140 },
  },
  entity_id: {
    label: 'Related record',
    input: emptyIsNull(recordId),
    reply: int.nullable(),
    empty: '',
  },
  completed_at: { label: 'Completed', reply: instant.nullable() },
  completed_by: { label: 'Completed by' },
  created_at: { label: 'Created', column: false, reply: instant },
} as const satisfies Fields
