import { CompiledQuery } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Field } from '#shared/field.ts'
import type { LeadFilters } from '#features/crm/leads/contract.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { billings, demoStates, leadTypes } from '#features/crm/leads/rules.ts'
import { matching, orders } from '#features/crm/leads/record/server/list.queries.ts'

/** SQL for the fields of which the CSV shows something other than their column. */
const expressions: { readonly [Name in keyof typeof leadFields]?: string } = {
  lead_for: '(select p.name from products p where p.id = l.lead_for)',
  status: '(select s.name from lead_statuses s where s.id = l.status)',
  reject_reason_id: `(select r.name from lead_reject_reasons r where r.id = l.reject_reason_id)`,
  reject_msg: `coalesce(l.reject_msg, '')`,
  color: '(select c.name from lead_colors c where c.id = l.color)',
  assign_to: `coalesce((select s.name from staff s where s.id = l.assign_to), '')`,
  recurring: `case l.recurring ${Object.entries(billings)
    .map(([code, name]) => `when '${code}' then '${name}'`)
    .join(' ')} end`,
  lead_type: `case l.lead_type when 1 then '${leadTypes[1]}' else '${leadTypes[2]}' end`,
  demo_status: `(array['${Object.values(demoStates).join("', '")}'])[l.demo_status + 1]`,
  tag_ids: `(select string_agg(t.name::text, ', ' order by t.name) from lead_tag_links k join lead_tags t on t.id = k.tag_id where k.lead_id = l.lead_id)`,
  cog_types: `array_to_string(l.cog_types, ', ')`,
  details: `(select string_agg((d.detail ->> 'label') || ': ' || (d.detail ->> 'value'), '; ' order by d.place) from jsonb_array_elements(l.details) with ordinality d (detail, place))`,
}

/** The headers of the export, and the SQL of their values. */
const selected = Object.entries<Field>(leadFields).flatMap(([name, { label, column, csv }]) =>
  csv
    ? [
        [
          csv === true ? label : csv,
          expressions[name as keyof typeof leadFields] ?? `l.${column || name}`,
        ] as const,
      ]
    : [],
)

type ExportRow = Record<string, unknown>

/** The columns of the export: headers, and the values of a row. */
export const columns = Object.fromEntries(
  selected.map(([header]) => [header, (row: ExportRow) => row[header]]),
)

/** Compiles the query that selects all leads that match the filters, in list order, for export. */
export function exportQuery(
  filters: LeadFilters,
  viewer: Viewer,
  today: PlainDate,
): CompiledQuery<ExportRow> {
  const { where, values } = matching(filters, viewer, today)
  const { from, inner } = orders[filters.column][filters.direction]
  const shown = selected.map(([header, expression]) => `${expression} as "${header}"`).join(', ')
  const text = `select ${shown} from (select ${from} where ${where} order by ${inner}) l`
  return CompiledQuery.raw(text, [...values])
}
