import type { ReactNode } from 'react'
import { TextInput } from '@mantine/core'
import { useDateInput, type DateInputOptions } from '#web/dates/useDateInput.tsx'

interface Props extends DateInputOptions {
  label: string
  name?: string
  description?: ReactNode
  /** Whether the description is below the field. */
  descriptionBelow?: boolean
  error?: ReactNode
  /** Path within the form, from getInputProps; tells the form that errors are shown here. */
  'data-path'?: string
}

/** Field for a date, or with `time` for a date and a time, with its label and errors; see `useDateInput`. */
export function DateField({
  label,
  name,
  description,
  descriptionBelow,
  error,
  'data-path': path,
  ...options
}: Props) {
  const { root, input, calendar, error: dateError, reading } = useDateInput(options)
  return (
    <TextInput
      label={label}
      name={name}
      description={
        reading === undefined ? (
          description
        ) : (
          <>
            <span role="status">{reading}</span>
            {description ? <> · {description}</> : null}
          </>
        )
      }
      data-path={path}
      error={dateError ?? error}
      inputWrapperOrder={
        descriptionBelow || !description
          ? ['label', 'input', 'description', 'error']
          : ['label', 'description', 'input', 'error']
      }
      wrapperProps={root}
      rightSection={calendar}
      {...input}
    />
  )
}
