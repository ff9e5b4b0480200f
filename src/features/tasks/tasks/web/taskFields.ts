import { dateFields, dateNames, priorityName, statusName } from '#features/tasks/tasks/rules.ts'
import type { RecordFields } from '#web/record/fields.ts'

/** How the fields of a task are called and read: history and conflicts show them by this. */
export const taskFields: RecordFields = {
  title: { label: 'Title' },
  description: { label: 'Description' },
  status: { label: 'Status', words: (value) => statusName(Number(value)) },
  priority: { label: 'Priority', words: (value) => priorityName(Number(value)) },
  task_type_id: { label: 'Type' },
  assigned_to: { label: 'Assignee' },
  organization_ids: { label: 'Customers' },
  estimate_hours: { label: 'Estimate in hours' },
  ticket_id: { label: 'Support ticket' },
  is_customer_notified: { label: 'Customer notified' },
  ...Object.fromEntries(dateFields.map((field) => [field, { label: dateNames[field] }])),
}
