import { CompiledQuery } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Field } from '#shared/field.ts'
import type { LeadFilters } from '#features/crm/leads/contract.ts'
import {
  customValueText,
  type CustomField,
  type CustomValues,
} from '#features/crm/leads/custom-fields.rules.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { billings, demoStates, leadTypes } from '#features/crm/leads/rules.ts'
import { otherContacts } from '#features/crm/leads/record/server/lead-columns.ts'
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
  other_contacts: otherContacts,
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

type Columns = Record<string, (row: ExportRow) => unknown>

/** The columns of the export: headers, and the values of a row. */
const columns: Columns = Object.fromEntries(
  selected.map(([header]) => [header, (row: ExportRow) => row[header]]),
)

/** Returns a value as files have it: numbers and days as they are stored, so that they can be read again. */
const customCell = (field: CustomField, value: unknown): unknown =>
  value === undefined || field.type === 'number' || field.type === 'date'
    ? value
    : customValueText(field, value)

/**
 * Returns the columns of the export with these custom fields after the others. Fields of several products with the same
 * name share a column.
 */
export function columnsWith(fields: readonly CustomField[]): Columns {
  const byName = Map.groupBy(fields, ({ name }) => name)
  const custom = [...byName].map(([name, same]) => [
    name,
    ({ custom_values, product_id }: ExportRow) => {
      // A lead that was moved keeps the values of its former product, which its page doesn’t show either.
      const field = same.find((one) => one.product_id === product_id)
      return field && customCell(field, (custom_values as CustomValues)[field.id])
    },
  ])
  return { ...columns, ...Object.fromEntries(custom) }
}

/** Compiles the query that selects all leads that match the filters, in list order, for export. */
export function exportQuery(
  filters: LeadFilters,
  viewer: Viewer,
  today: PlainDate,
): CompiledQuery<ExportRow> {
  const { where, values } = matching(filters, viewer, today)
  const { from, inner } = orders[filters.column][filters.direction]
  const shown = selected.map(([header, expression]) => `${expression} as "${header}"`).join(', ')
  const text = `select ${shown}, l.custom_values, l.lead_for as product_id from (select ${from} where ${where} order by ${inner}) l`
  return CompiledQuery.raw(text, [...values])
}
