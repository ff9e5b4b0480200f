import { Suspense } from 'react'
import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Option } from '#web/form/inputs.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const OrganizationSelect = lazyPart(() => import('#web/form/OrganizationSelect.tsx'))

interface ChoiceProps {
  label?: string
  'aria-label'?: string
  placeholder?: string
  autoFocus?: boolean
  value: string
  onChange: (value: string) => void
  fixed?: readonly Option[]
  product?: number | undefined
  required?: boolean
}

/** Field for choosing an organization by searching for its name. */
export const OrganizationChoice = (props: ChoiceProps) => {
  const { label, 'aria-label': name, required = false } = props
  return (
    <Suspense fallback={<TextInput label={label} aria-label={name} required={required} disabled />}>
      <OrganizationSelect {...props} />
    </Suspense>
  )
}

interface FieldProps<Values extends object> extends Omit<ChoiceProps, 'value' | 'onChange'> {
  form: UseFormReturnType<Values>
  name: keyof Values & string
  /** Called when the user chooses an organization, for example to update dependent fields; not called when a draft is restored. */
  onChosen?: () => void
}

/** `OrganizationChoice` as a field of a `useDraftForm`; its value is a string. */
export function OrganizationField<Values extends object>({
  form,
  name,
  onChosen,
  ...rest
}: FieldProps<Values>) {
  const { onChange, value, ...input } = form.getInputProps(name as never)
  return (
    <OrganizationChoice
      {...rest}
      {...input}
      data-path={name}
      value={String(value ?? '')}
      onChange={(next) => {
        onChange(next)
        onChosen?.()
      }}
    />
  )
}
