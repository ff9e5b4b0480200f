import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { DateField } from '#web/dates/DateField.tsx'
import type { DateInputOptions } from '#web/dates/useDateInput.tsx'

/*
 * Inputs for a `useDraftForm`, with a label, a required mark, and errors. `name` is the field's name in the
 * contract.
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
    <TextInput
      {...rest}
      autoComplete={autoComplete}
      data-autofocus={autoFocus || undefined}
      {...inputProps(form, name)}
    />
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
      data-autofocus={autoFocus || undefined}
      autosize
      minRows={rows}
      maxRows={14}
      {...inputProps(form, name)}
    />
  )
}

/**
 * A calendar day as YYYY-MM-DD, or with `time` a local time as YYYY-MM-DDTHH:MM, or an empty string. A text
 * that is not a date is in the values as it was typed, so the form's schema must check it.
 */
export function DayField<Values extends object>({
  form,
  name,
  error: otherError,
  ...rest
}: DayProps<Values>) {
  const { value, error, onChange, onBlur, ...input } = inputProps(form, name)
  return (
    <DateField
      {...rest}
      name={name}
      data-path={input['data-path']}
      value={value ?? ''}
      error={otherError ?? error}
      onChange={onChange}
      onLeave={onBlur}
    />
  )
}

interface DayProps<Values extends object>
  extends FieldProps<Values>, Pick<DateInputOptions, 'time' | 'min' | 'max' | 'ahead'> {
  descriptionBelow?: boolean
  /** An error that depends on more than this field. */
  error?: string | undefined
}

export interface Option {
  value: string
  label: string
}

interface ChoiceProps<Values extends object> extends FieldProps<Values> {
  options: readonly Option[]
  /**
   * Called when the user chooses an option, for example to update dependent fields; not called when a draft
   * is restored.
   */
  onChosen?: () => void
}

/** A choice among a few options, using the browser's native select. The value is a string. */
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
      // Below, so that the inputs of two fields beside each other are in line.
      inputWrapperOrder={['label', 'input', 'description', 'error']}
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
