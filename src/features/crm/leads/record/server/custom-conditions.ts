import { readCustomFilter, type CustomCondition } from '#features/crm/leads/custom-filters.rules.ts'
import { unpreparedMark } from '#server/db/connection.ts'

/**
 * Builds the SQL condition for leads that match all filters by custom fields, and adds its values. Only the fields of a
 * lead’s product count. The values of a deleted field are found as long as they are kept, so that a saved view doesn’t
 * suddenly have all leads.
 */
export function hasCustomValues(filters: readonly string[], values: unknown[]): string {
  const place = (value: unknown) => `$${values.push(value)}`
  const conditions = filters.map((text) => {
    const { field, condition } = readCustomFilter(text)!
    const id = place(field)
    const valuesOfField = 'select from lead_custom_values v where v.lead_id = l.lead_id and v.field_id ='
    const lacks = (rest = '') =>
      `(l.lead_for = (select f.product_id from custom_fields f where f.id = ${id})
          and not exists (${valuesOfField} ${id}${rest}))`
    if (condition.kind === 'empty') return lacks()
    if (condition.kind === 'choice' && condition.isNot) return lacks(` and ${fits(condition, place)}`)
    return `l.lead_id in (select v.lead_id from lead_custom_values v
          where v.field_id = ${id} and ${fits(condition, place)})`
  })
  // The best plan depends on how many leads have the value.
  return `${conditions.join(' and ')} ${unpreparedMark}`
}

function fits(
  condition: Exclude<CustomCondition, { kind: 'empty' }>,
  place: (value: unknown) => string,
): string {
  switch (condition.kind) {
    case 'filled':
      return 'true'
    case 'choice':
      return `v.choice_id = any(${place([...condition.ids])})`
    case 'yes_no':
      return `v.yes_no = ${place(condition.yes)}`
    case 'text':
      return `v.search like search_pattern(${place(condition.text)})`
    case 'number':
    case 'date': {
      const { kind, from, to } = condition
      return [
        ...(from === undefined ? [] : [`v.${kind}_value >= ${place(from)}`]),
        ...(to === undefined ? [] : [`v.${kind}_value <= ${place(to)}`]),
      ].join(' and ')
    }
  }
}
