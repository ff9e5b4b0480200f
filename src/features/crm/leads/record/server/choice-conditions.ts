import { noName, type ChoiceField, type ChoiceFilter } from '#features/crm/leads/choice-filters.contract.ts'
import { unpreparedMark } from '#server/db/connection.ts'

interface Choice {
  column: string
  canBeNull?: true
  /** The value that stands for leads without one. */
  none?: number | typeof noName
  ignoresCase?: true
}

/** The column of each field with a choice. */
const choices: Readonly<Record<ChoiceField, Choice>> = {
  status: { column: 'l.status' },
  color: { column: 'l.color' },
  assignee: { column: 'l.assign_to', canBeNull: true, none: 0 },
  reject_reason: { column: 'l.reject_reason_id', canBeNull: true, none: 0 },
  creator: { column: 'l.created_by', canBeNull: true, none: 0 },
  source: { column: 'l.hear_about', canBeNull: true, none: noName },
  service: { column: 'l.services', canBeNull: true, none: noName },
  demo: { column: 'l.demo_status' },
  type: { column: 'l.lead_type' },
  currency: { column: 'l.currency', canBeNull: true },
  billing: { column: 'l.recurring' },
  country: { column: 'l.country', ignoresCase: true },
  timezone: { column: 'l.timezone' },
}

type Chosen = readonly (number | string)[]

/** Builds the conditions that a field has any of the chosen values, or none of them, and adds their values. */
export const choiceConditions = (keepWhere: (condition: string) => void, values: unknown[]) =>
  Object.fromEntries(
    Object.entries(choices).flatMap(([name, choice]) => [
      [`${name}_any`, (chosen: Chosen) => keepWhere(hasAny(choice, chosen, values))],
      [`${name}_not`, (chosen: Chosen) => keepWhere(hasNone(choice, chosen, values))],
    ]),
  ) as Record<ChoiceFilter, (chosen: Chosen) => void>

/** The best plan depends on how many leads have the values. */
const planned = (condition: string) => `${condition} ${unpreparedMark}`

function hasAny(choice: Choice, chosen: Chosen, values: unknown[]): string {
  const { column, list } = compared(choice, chosen, values)
  const isOneOf = `${column} = any(${list})`
  return planned(includesNone(choice, chosen) ? `(${isOneOf} or ${column} is null)` : isOneOf)
}

function hasNone(choice: Choice, chosen: Chosen, values: unknown[]): string {
  const { column, list } = compared(choice, chosen, values)
  const isOther = `${column} <> all(${list})`
  // A comparison with null is not true, so leads without a value are named unless they are to be left out.
  return planned(
    choice.canBeNull && !includesNone(choice, chosen) ? `(${isOther} or ${column} is null)` : isOther,
  )
}

const includesNone = ({ none }: Choice, chosen: Chosen) => none !== undefined && chosen.includes(none)

function compared({ column, ignoresCase }: Choice, chosen: Chosen, values: unknown[]) {
  const list = `$${values.push(chosen)}`
  return ignoresCase
    ? { column: `lower(${column})`, list: `array(select lower(one) from unnest(${list}::text[]) one)` }
    : { column, list }
}
