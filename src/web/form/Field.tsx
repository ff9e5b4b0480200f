import type { ReactNode } from 'react'
import { Checkbox } from '@mantine/core'
import type { Fields } from '#shared/field.ts'
import { longestLine } from '#shared/schemas.ts'
import { kindOf, maxLengthOf } from '#web/form/declared.ts'
import type { FieldValues } from '#web/form/fieldValues.ts'
import { ChoiceField, DayField, LongTextField, TextField, type Option } from '#web/form/inputs.tsx'
import { LateField } from '#web/form/LateField.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

// Most forms have no files.
const FilesField = lazyPart(() => import('#web/files/FilesField.tsx'), 'FilesField')

interface Props<F extends Fields> {
  form: FieldsForm<F>
  name: keyof FieldValues<F> & string
  /** Instead of the declared label, where the place says more. */
  label?: string
  description?: ReactNode
  /** Instead of whether the schema refuses an empty value, if the form leaves that out of the request. */
  required?: boolean
  /** Beside another field; on a phone, below it. */
  half?: boolean
  autoFocus?: boolean
  disabled?: boolean
  /** The choices of a field that is a code, or a list of codes. */
  options?: readonly Option[]
  /** Called when the user chooses an option, for example to update dependent fields. */
  onChosen?: () => void
  /** Whether a typed date without a year is in the future. */
  ahead?: boolean
  /** The first day that can be chosen. */
  min?: string
  type?: 'tel'
  placeholder?: string
  /** Initial height of a long text, in lines. */
  rows?: number
  /** Whether a text is entered in a single line even if it may be long. */
  singleLine?: boolean
  /** Whether rich text has only the few buttons of a composer. */
  hasFewTools?: boolean
  /** If the schema has no length, for example that of a number. */
  maxLength?: number
}

/**
 * Input for a field of a `useFieldsForm` or `useRecordForm`. Label, required mark, length, and the kind of the
 * input derive from the declaration.
 */
export function Field<F extends Fields>({ half = false, ...props }: Props<F>) {
  return half ? (
    <div data-half>
      <Control {...props} />
    </div>
  ) : (
    <Control {...props} />
  )
}

function Control<F extends Fields>({
  form,
  name,
  options,
  onChosen,
  ahead,
  min,
  type,
  rows,
  singleLine,
  hasFewTools,
  ...rest
}: Omit<Props<F>, 'half'>) {
  const declared = form.declared[name]!
  const kind = kindOf(declared)
  const maxLength = maxLengthOf(declared) ?? rest.maxLength
  const shared = { ...form.at(name), ...rest }
  if (options && Array.isArray(declared.empty))
    return (
      <Checkbox.Group {...form.control(name)} label={shared.label}>
        {options.map((option) => (
          <Checkbox key={option.value} {...option} mt={6} />
        ))}
      </Checkbox.Group>
    )
  if (options) return <ChoiceField {...shared} options={options} {...(onChosen ? { onChosen } : {})} />
  if (typeof declared.empty === 'boolean')
    return <Checkbox label={shared.label} {...form.fields.getInputProps(name, { type: 'checkbox' })} />
  if (kind === 'day') return <DayField {...shared} {...(ahead ? { ahead } : {})} {...(min ? { min } : {})} />
  if (kind === 'files' || kind === 'richText') {
    const value = { ...form.control(name), label: shared.label, description: rest.description }
    if (kind === 'richText') return <RichTextField {...value} {...(hasFewTools && { hasFewTools })} />
    return (
      <LateField label={value.label}>
        <FilesField {...value} />
      </LateField>
    )
  }
  const length = maxLength === undefined ? {} : { maxLength }
  if (!kind && !singleLine && maxLength !== undefined && maxLength > longestLine)
    return <LongTextField {...shared} {...length} {...(rows ? { rows } : {})} />
  return (
    <TextField {...shared} {...length} type={type ?? (kind === 'email' || kind === 'url' ? kind : 'text')} />
  )
}
