import type { LeadOptions } from '#features/leads/contract.ts'
import { demoStates, leadTypes } from '#features/leads/rules.ts'
import { named } from '#features/leads/web/LeadOptions.tsx'
import { dayText } from '#web/time.ts'

/** The fields of a lead as people call them. */
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
  assign_to: 'Assigned to',
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
  email: 'E-mail',
  country: 'Country',
  answer: 'Answer',
  join: 'Join',
  timezone: 'Time zone',
  organization_id: 'Organization',
  reference: 'Key',
  details: 'Details',
  in_trash: 'In the trash',
  merged_into: 'Merged into',
  demo_ids: 'Demos and sessions',
}

/** A stored value as people say it. */
export function words(field: string, value: unknown, options: LeadOptions): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (field.endsWith('_date') && typeof value === 'string') return dayText(value)
  const names: Record<string, (id: number) => string> = {
    status: (id) => named(options.statuses, id).name,
    color: (id) => named(options.colors, id).name,
    assign_to: (id) => named(options.staff, id).name,
    lead_for: (id) => named(options.products, id).name,
    lead_type: (id) => leadTypes[id as 1],
    demo_status: (id) => demoStates[id as 0],
    tag_ids: (id) => named(options.tags, id).name,
  }
  const name = names[field]
  const list = Array.isArray(value) ? value : [value]
  return list.length === 0 ? 'nothing' : list.map((one) => (name ? name(Number(one)) : typeof one === 'string' ? one : JSON.stringify(one))).join(', ')
}
