import { CompiledQuery } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { LeadFilters } from '#features/crm/leads/contract.ts'
import { demoStates, leadTypes } from '#features/crm/leads/rules.ts'
import { matching, orders } from '#features/crm/leads/list/server/list.queries.ts'

/** Column headers and their SQL. */
const expressions = {
  Number: 'l.lead_id',
  Company: 'l.company_name',
  Contact: 'l.contact_name',
  Email: 'l.email',
  Phone: 'l.phone',
  Country: 'l.country',
  Website: 'l.company_url',
  Product: '(select p.name from products p where p.id = l.lead_for)',
  Status: '(select s.name from lead_statuses s where s.id = l.status)',
  Reason: `coalesce(l.reject_msg, '')`,
  Priority: '(select c.name from lead_colors c where c.id = l.color)',
  Assignee: `coalesce((select s.name from staff s where s.id = l.assign_to), '')`,
  'Follow-up date': 'l.followup_date',
  'Lead date': 'l.lead_date',
  'Request date': 'l.request_date',
  'Implementation date': 'l.implement_date',
  Type: `case l.lead_type when 1 then '${leadTypes[1]}' else '${leadTypes[2]}' end`,
  Demo: `(array['${Object.values(demoStates).join("', '")}'])[l.demo_status + 1]`,
  Service: 'l.services',
  Source: 'l.hear_about',
  Tags: `(select string_agg(t.name::text, ', ' order by t.name) from lead_tag_links k join lead_tags t on t.id = k.tag_id where k.lead_id = l.lead_id)`,
  'Types of goods': `array_to_string(l.cog_types, ', ')`,
  'Additional info': 'l.additional_info',
  Answer: 'l.answer',
  Join: 'l."join"',
  Key: 'l.reference',
  'Imported details': `(select string_agg((d.detail ->> 'label') || ': ' || (d.detail ->> 'value'), '; ' order by d.place) from jsonb_array_elements(l.details) with ordinality d (detail, place))`,
} as const

type ExportRow = Record<keyof typeof expressions, unknown>

/** The columns of the export: headers, and the values of a row. */
export const columns = Object.fromEntries(
  Object.keys(expressions).map((header) => [header, (row: ExportRow) => row[header as keyof ExportRow]]),
)

/** Compiles the query that selects all leads that match the filters, in list order, for export. */
export function exportQuery(
  filters: LeadFilters,
  viewer: Viewer,
  today: PlainDate,
): CompiledQuery<ExportRow> {
  const { where, values } = matching(filters, viewer, today)
  const { from, inner } = orders[filters.column][filters.direction]
  const selected = Object.entries(expressions).map(([header, words]) => `${words} as "${header}"`)
  const text = `select ${selected.join(', ')} from (select ${from} where ${where} order by ${inner}) l`
  return CompiledQuery.raw(text, [...values])
}
