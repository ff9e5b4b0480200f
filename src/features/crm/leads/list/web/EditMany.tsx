import { z } from 'zod'
import { BulkValues, type BulkField } from '#features/crm/leads/bulk-values.contract.ts'
import { nameOfCustomValue, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { CurrentValues } from '#features/crm/leads/list/web/CurrentValues.tsx'
import type { LeadSelection } from '#features/crm/leads/operations.contract.ts'
import { CustomInputs } from '#features/crm/leads/record/web/CustomInputs.tsx'
import { declareCustomFields } from '#features/crm/leads/record/web/customValues.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { billings } from '#features/crm/leads/rules.ts'
import { currencies, defaultCurrency } from '#shared/currencies.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import type { Option } from '#web/form/inputs.tsx'
import { sentOf } from '#web/form/declared.ts'
import { useFieldsForm, type FieldsForm } from '#web/form/useFieldsForm.ts'
import { Soft } from '#web/parts/Soft.tsx'

interface Props<Edited> {
  field: Edited
  /** `3 leads`. */
  them: string
  selection: LeadSelection
  onEdit: (values: BulkValues) => Promise<void>
  onClose: () => void
}

/** Dialog for setting a field of the selected leads to the same value. */
export default function EditMany({ field, ...rest }: Props<BulkField | CustomField>) {
  return typeof field === 'string' ? (
    <EditField field={field} {...rest} />
  ) : (
    <EditCustomField field={field} {...rest} />
  )
}

function EditField({ field, them, selection, onEdit, onClose }: Props<BulkField>) {
  const { last_currency, services, sources } = useLeadOptions()
  const { label, empty } = leadFields[field]
  // Only one of the fields, and the currency of an amount.
  const fields = {
    [field]: leadFields[field],
    ...(field === 'amount' && {
      currency: { ...leadFields.currency, empty: last_currency ?? defaultCurrency },
    }),
  } as Pick<typeof leadFields, BulkField | 'currency'>
  const form = useFieldsForm({
    name: `edit-many-${field}`,
    fields,
    schema: BulkValues,
    adapt: withoutLoneCurrency,
    onSave: (sent) => onEdit(withoutLoneCurrency(sent)),
    onSaved: onClose,
  })
  const entered = BulkValues.safeParse(withoutLoneCurrency(sentOf(form.declared, form.fields.getValues())))
  const options: Partial<Record<BulkField, readonly Option[]>> = {
    services: [nothing, ...optionsOf(services)],
    hear_about: [nothing, ...optionsOf(sources)],
    recurring: Object.entries(billings).map(([value, name]) => ({ value, label: name })),
  }
  return (
    <FormModal title={`${label} of ${them}`} form={form} onClose={onClose} saveLabel={`Change ${them}`}>
      <Field
        form={form}
        name={field}
        description={`Replaces the current value.${empty === '' && field !== 'lead_date' ? clears : ''}`}
        {...(options[field] && { options: options[field] })}
        autoFocus
      />
      {field === 'amount' && <Field form={form} name="currency" options={optionsOf(currencies)} />}
      <CurrentValues field={field} selection={selection} values={entered.data} />
    </FormModal>
  )
}

const clears = ' An empty field clears it.'

function EditCustomField({ field, them, selection, onEdit, onClose }: Props<CustomField>) {
  const name = nameOfCustomValue(field.id)
  const { declared, inputs } = declareCustomFields([field])
  const schema = z.object(inputs)
  const asBulkValues = (sent: object): BulkValues => ({
    custom_values: { [field.id]: (sent as Record<string, never>)[name]! },
  })
  const form = useFieldsForm({
    name: `edit-many-${name}`,
    fields: declared,
    schema,
    onSave: (sent) => onEdit(asBulkValues(sent)),
    onSaved: onClose,
  })
  const entered = schema.safeParse(sentOf(form.declared, form.fields.getValues()))
  return (
    <FormModal title={`${field.name} of ${them}`} form={form} onClose={onClose} saveLabel={`Change ${them}`}>
      {/* The form has only this field, whose input takes the form of a lead. */}
      <CustomInputs form={form as unknown as FieldsForm<typeof leadFields>} fields={[field]} />
      <Soft small>Replaces the current value.{clears}</Soft>
      <CurrentValues
        field={field}
        selection={selection}
        values={entered.success ? asBulkValues(entered.data) : undefined}
      />
    </FormModal>
  )
}

const nothing: Option = { value: '', label: '—' }
const optionsOf = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }))

/** Without an amount, the form’s currency means nothing. */
const withoutLoneCurrency = (sent: BulkValues): BulkValues =>
  'amount' in sent && sent.amount === null ? { amount: null, currency: null } : sent
