import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import type { rejectionFields } from '#features/crm/leads/record/web/rejectionFields.ts'
import { Field } from '#web/form/Field.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'

interface Props {
  form: FieldsForm<typeof rejectionFields>
  /** Where the words are saved or shown. */
  description: string
}

/** The reason for rejecting leads: an entry of its list, and a text. */
export function RejectionInputs({ form, description }: Props) {
  const { reject_reasons } = useLeadOptions()
  return (
    <>
      {reject_reasons.length > 0 && (
        <Field
          form={form}
          name="reject_reason_id"
          description="For filters and counts. Without a text, its name is the text."
          options={[
            { value: '', label: '—' },
            ...reject_reasons.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      )}
      <Field form={form} name="reject_msg" description={description} autoFocus />
    </>
  )
}
