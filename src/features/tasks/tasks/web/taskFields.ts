import { dateFields, dateNames, priorityName, statusName } from '#features/tasks/tasks/rules.ts'
import type { RecordFields } from '#web/record/fieldWords.ts'

/** Labels of the task fields and how their values are displayed in the history and in conflicts. */
export const taskFields: RecordFields = {
  title: { label: 'Title' },
  description: { label: 'Description' },
  status: { label: 'Status', words: (value) => statusName(Number(value)) },
  priority: { label: 'Priority', words: (value) => priorityName(Number(value)) },
  task_type_id: { label: 'Type' },
  assigned_to: { label: 'Assignee' },
  organization_ids: { label: 'Customers' },
  estimate_hours: { label: 'Estimate (hours)' },
  ticket_id: { label: 'Support ticket' },
  is_customer_notified: { label: 'Customer notified' },
  ...Object.fromEntries(dateFields.map((field) => [field, { label: dateNames[field] }])),
}
