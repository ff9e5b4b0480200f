import { hasChoices, nameOfCustomValue, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import type { leadFields } from '#features/crm/leads/fields.ts'
import { Field } from '#web/form/Field.tsx'
import type { Option } from '#web/form/inputs.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { Toggles } from '#web/parts/Toggles.tsx'

interface Props {
  form: FieldsForm<typeof leadFields>
  fields: readonly CustomField[]
}

/** The custom fields of the product in the form of a lead. */
export function CustomInputs({ form, fields }: Props) {
  return fields.map((field) => <CustomInput key={field.id} form={form} field={field} />)
}

const yesOrNo: readonly Option[] = [
  { value: '', label: '—' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

function CustomInput({ form, field }: { form: Props['form']; field: CustomField }) {
  // The form declares these fields besides those of all leads.
  const name = nameOfCustomValue(field.id) as 'answer'
  const value = form.fields.values[name] as unknown as string | string[]
  // A choice that was removed is offered to a lead that has it.
  const options = field.choices
    .map((one) => ({ value: String(one.id), label: one.name, isRemoved: one.is_removed }))
    .filter((one) => !one.isRemoved || value.includes(one.value))
    .map(({ value: id, label }) => ({ value: id, label }))
  if (field.type === 'choices')
    return (
      <Toggles
        label={field.name}
        options={options}
        chosen={Array.isArray(value) ? value : []}
        onChange={(chosen) => form.fields.setFieldValue(name, chosen as unknown as string)}
      />
    )
  if (hasChoices(field.type))
    return <Field form={form} name={name} options={[{ value: '', label: '—' }, ...options]} />
  if (field.type === 'yes_no') return <Field form={form} name={name} options={yesOrNo} />
  if (field.type === 'text') return <Field form={form} name={name} rows={1} maxLength={2000} />
  return <Field form={form} name={name} maxLength={field.type === 'link' ? 300 : 24} />
}
