import { dayText } from '#shared/dates.ts'
import type { LeadOptions } from '#features/crm/leads/contract.ts'
import { demoStatuses, type DemoStatus } from '#features/crm/leads/demos/rules.ts'
import { demoStates, leadTypes } from '#features/crm/leads/rules.ts'
import { entryById } from '#features/crm/leads/cells/web/LeadOptions.tsx'
import { isNothing, type RecordFields } from '#web/record/fieldWords.ts'
import { fullTime } from '#web/time.ts'

/** Labels for a lead's fields. */
export const fieldNames: Record<string, string> = {
  companyName: 'Company',
  contactName: 'Contact',
  company_url: 'Website',
  lead_for: 'Product',
  hear_about: 'Source',
  implement_date: 'Implementation date',
  additional_info: 'Additional info',
  tag_ids: 'Tags',
  cog_types: 'Types of goods',
  assign_to: 'Assignee',
  lead_type: 'Type',
  color: 'Priority',
  status: 'Status',
  demo_status: 'Demo',
  lead_date: 'Lead date',
  request_date: 'Request date',
  followup_date: 'Follow-up',
  reject_msg: 'Reason',
  services: 'Service',
  phone: 'Phone',
  email: 'Email',
  country: 'Country',
  answer: 'Answer',
  join: 'Join',
  timezone: 'Time zone',
  organization_id: 'Organization',
  organization_name: 'Organization',
  reference: 'External ID',
  details: 'Details',
  in_trash: 'In the trash',
  merged_into: 'Merged into',
  demo_ids: 'Sessions',
  session_type: 'Session',
  session_requested: 'Requested time',
  schedule_comment: 'Request comment',
  session_final: 'Scheduled time',
  final_comment: 'Schedule comment',
  received_date: 'Request received',
  session_status: 'Session status',
  mail: 'Email',
  mail_to: 'To',
  organization: 'Organization',
  website_up: 'Website up',
  website_checked_url: 'Checked URL',
}

const instants = new Set(['session_requested', 'session_final'])

/** Formats a stored value for display. */
export function words(field: string, value: unknown, options: LeadOptions): string {
  if (isNothing(value)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (field.endsWith('_date') && typeof value === 'string') return dayText(value)
  if (instants.has(field) && typeof value === 'string') return fullTime(value)
  const names: Record<string, (id: number) => string> = {
    status: (id) => entryById(options.statuses, id).name,
    color: (id) => entryById(options.colors, id).name,
    assign_to: (id) => entryById(options.staff, id).name,
    lead_for: (id) => entryById(options.products, id).name,
    lead_type: (id) => leadTypes[id as 1],
    demo_status: (id) => demoStates[id as 0],
    session_status: (id) => demoStatuses[id as DemoStatus],
    tag_ids: (id) => entryById(options.tags, id).name,
  }
  const name = names[field]
  const list = Array.isArray(value) ? value : [value]
  return list
    .map((one) => (name ? name(Number(one)) : typeof one === 'string' ? one : JSON.stringify(one)))
    .join(', ')
}

/** Returns each field's label and formatter, for the shared record components. */
export const leadFields = (options: LeadOptions): RecordFields =>
  Object.fromEntries([
    ...Object.entries(fieldNames).map(
      ([field, label]) =>
        [field, { label, words: (value: unknown) => words(field, value, options) }] as const,
    ),
    ['session', { label: 'Session', isHiddenInHistory: true }] as const,
  ])
