import {
  hasChoices,
  longestName,
  mostChoices,
  readCustomValue,
  splitChoices,
  type CustomFieldType,
  type ProposedChoices,
  type ProposedField,
} from '#features/crm/leads/custom-fields.rules.ts'

/** A value of a column, trimmed, and in how many rows it is. */
export interface ColumnValue {
  value: string
  rows: number
}

/**
 * Returns the custom field that a column can become. Its type is the narrowest one that reads every value, so that
 * no row fails; a column without values, or with texts that hardly repeat, is text.
 * @param values the different values of the column that aren’t empty, those of most rows first
 * @param isDay whether the import reads a value as a date, with either order of day and month
 */
export function proposeField(
  values: readonly ColumnValue[],
  isDay: (value: string) => boolean,
): ProposedField {
  const whole = sumUp(values)
  const parts = sumUp(
    values.flatMap(({ value, rows }) => splitChoices(value).map((part) => ({ value: part, rows }))),
  )
  const [choice, choices] = [namesOf(whole), namesOf(parts)]
  return { type: typeOf(), choice, choices }

  function typeOf(): CustomFieldType {
    const every = (fits: (value: string) => boolean) => values.every(({ value }) => fits(value))
    if (values.length === 0) return 'text'
    // Columns of 0 and 1 are also numbers, which lose nothing.
    if (every(reads('yes_no')) && !every(isDigit)) return 'yes_no'
    if (every(isDay)) return 'date'
    if (every((value) => reads('number')(value) && !isCode(value))) return 'number'
    if (every(reads('link'))) return 'link'
    const isList = values.some(({ value }) => value.includes(';')) || choices.count < choice.count
    if (isList && repeats(parts, choices)) return 'choices'
    return repeats(whole, choice) ? 'choice' : 'text'
  }
}

const reads = (type: CustomFieldType) => (value: string) =>
  !hasChoices(type) && !('error' in readCustomValue({ type, choices: [] }, value))

const isDigit = (value: string) => value === '0' || value === '1'
/** A number with zeros in front is a code, such as 00420, which would lose them. */
const isCode = (value: string) => /^-?0\d/.test(value)

/** Returns the values with the rows of those that differ only in case, in the spelling of the first. */
function sumUp(values: readonly ColumnValue[]): ColumnValue[] {
  const found = new Map<string, ColumnValue>()
  for (const { value, rows } of values) {
    if (value === '') continue
    const key = value.toLowerCase()
    const known = found.get(key)
    if (known) known.rows += rows
    else found.set(key, { value, rows })
  }
  return [...found.values()].toSorted((one, other) => other.rows - one.rows)
}

const namesOf = (values: readonly ColumnValue[]): ProposedChoices => ({
  names: values
    .map(({ value }) => value)
    .filter((value) => value.length <= longestName)
    .slice(0, mostChoices),
  count: values.length,
})

/** Returns whether all values can be choices, and are in two rows on average: a name or a note hardly repeats. */
const repeats = (values: readonly ColumnValue[], { names, count }: ProposedChoices): boolean =>
  names.length === count && values.reduce((sum, { rows }) => sum + rows, 0) >= 2 * count
