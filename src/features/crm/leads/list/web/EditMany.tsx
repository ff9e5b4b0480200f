import { BulkValues } from '#features/crm/leads/bulk-values.contract.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { billings } from '#features/crm/leads/rules.ts'
import { currencies, defaultCurrency } from '#shared/currencies.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import type { Option } from '#web/form/inputs.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'

type BulkField = Exclude<keyof BulkValues, 'currency'>

interface Props {
  field: BulkField
  /** `3 leads`. */
  them: string
  onEdit: (values: BulkValues) => Promise<void>
  onClose: () => void
}

/** Dialog for setting a field of the selected leads to the same value. */
export default function EditMany({ field, them, onEdit, onClose }: Props) {
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
        description={`Replaces the current value.${empty === '' && field !== 'lead_date' ? ' An empty field clears it.' : ''}`}
        {...(options[field] && { options: options[field] })}
        autoFocus
      />
      {field === 'amount' && <Field form={form} name="currency" options={optionsOf(currencies)} />}
    </FormModal>
  )
}

const nothing: Option = { value: '', label: '—' }
const optionsOf = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }))

/** Without an amount, the form’s currency means nothing. */
const withoutLoneCurrency = (sent: BulkValues): BulkValues =>
  'amount' in sent && sent.amount === null ? { amount: null, currency: null } : sent
