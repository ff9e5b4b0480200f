import { Suspense } from 'react'
import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { asChoices } from '#web/filter/useOptions.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const PersonSelect = lazyPart(() => import('#web/form/PersonSelect.tsx'))

interface Props<Values extends object> {
  form: UseFormReturnType<Values>
  name: (keyof Values & string) | `${keyof Values & string}.${string}`
  label: string
  staff: Parameters<typeof asChoices>[0]
  /** Label of the choice of no one, such as `Unassigned`; without it, someone must be chosen. */
  none?: string
  required?: boolean
}

/** Field of a `useDraftForm` for an admin user, who is searched by name; its value is a string. */
export function PersonField<Values extends object>({
  form,
  name,
  label,
  staff,
  none,
  required = false,
}: Props<Values>) {
  const { onChange, value, ...input } = form.getInputProps(name as never)
  return (
    <Suspense fallback={<TextInput label={label} required={required} disabled />}>
      <PersonSelect
        {...input}
        label={label}
        required={required}
        data-path={name}
        people={asChoices(staff)}
        {...(none === undefined ? {} : { fixed: [{ value: '', label: none }] })}
        value={String(value ?? '')}
        onChange={onChange}
      />
    </Suspense>
  )
}
