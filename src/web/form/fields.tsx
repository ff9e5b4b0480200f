import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

/*
 * Inputs of a `useDraftForm`, with label, required mark and error. `name` is the field's name in the contract.
 */

interface FieldProps<Values extends object> {
  form: UseFormReturnType<Values>
  name: keyof Values & string
  label: string
  required?: boolean
  description?: ReactNode
  disabled?: boolean
  placeholder?: string
}

interface TextProps<Values extends object> extends FieldProps<Values> {
  type?: 'text' | 'email' | 'tel' | 'url'
  maxLength?: number
  autoComplete?: string
  autoFocus?: boolean
}

const inputProps = <Values extends object>(form: UseFormReturnType<Values>, name: string) => ({
  ...form.getInputProps(name as never),
  'data-path': name,
  name,
})

export function TextField<Values extends object>({
  form,
  name,
  autoFocus,
  autoComplete = 'off',
  ...rest
}: TextProps<Values>) {
  return (
    <TextInput {...rest} autoComplete={autoComplete} data-autofocus={autoFocus} {...inputProps(form, name)} />
  )
}

export function LongTextField<Values extends object>({
  form,
  name,
  autoFocus,
  rows = 3,
  ...rest
}: TextProps<Values> & { rows?: number }) {
  return (
    <Textarea
      {...rest}
      data-autofocus={autoFocus}
      autosize
      minRows={rows}
      maxRows={14}
      {...inputProps(form, name)}
    />
  )
}

/** A calendar day as YYYY-MM-DD, or an empty text. The browser's own field: no time zone, usable by keyboard, nothing to load. */
export function DayField<Values extends object>({
  form,
  name,
  min,
  max,
  ...rest
}: FieldProps<Values> & { min?: string; max?: string }) {
  const { value, ...input } = inputProps(form, name)
  return <TextInput type="date" {...rest} min={min} max={max} value={value ?? ''} {...input} />
}

export interface Option {
  value: string
  label: string
}

interface ChoiceProps<Values extends object> extends FieldProps<Values> {
  options: readonly Option[]
  /** Called when the user has chosen, for example for dependent fields; not for a restored draft. */
  onChosen?: () => void
}

/** A choice of a few, in the browser's own select. The value is a text. */
export function ChoiceField<Values extends object>({
  form,
  name,
  options,
  onChosen,
  ...rest
}: ChoiceProps<Values>) {
  const { value, onChange, ...input } = inputProps(form, name)
  return (
    <NativeSelect
      {...rest}
      data={[...options]}
      value={value ?? ''}
      {...input}
      onChange={(event) => {
        onChange(event)
        onChosen?.()
      }}
    />
  )
}
