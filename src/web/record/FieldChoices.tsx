import { labelOf, formatFieldValue, type RecordFields } from '#web/record/fieldWords.ts'
import classes from '#web/record/record.module.css'

interface Props {
  label: string
  /** Headings of the two columns, which say whose values each column shows. */
  names: readonly [string, string]
  words: RecordFields
  fields: readonly { field: string; values: readonly [unknown, unknown] }[]
  /** Fields for which the second value is chosen. */
  second: readonly string[]
  onChoose: (field: string, second: boolean) => void
}

/** Lets the user choose between two values for each field. */
export function FieldChoices({ label, names, words, fields, second, onChoose }: Props) {
  if (!fields.length) return null
  return (
    <div className={classes.choices} role="group" aria-label={label}>
      {fields.map(({ field, values }) => (
        <fieldset key={field} className={classes.choice}>
          <legend>{labelOf(words, field)}</legend>
          {values.map((value, index) => (
            <label key={names[index]} className={classes.value}>
              <input
                type="radio"
                name={`choice-${field}`}
                checked={second.includes(field) === (index === 1)}
                onChange={() => onChoose(field, index === 1)}
              />
              <span className={classes.valueText}>
                <span className={classes.whose}>{names[index]}</span>
                <span>{formatFieldValue(words, field, value)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  )
}
