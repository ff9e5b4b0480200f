import { Rejection } from '#features/crm/leads/operations.contract.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { rejectionFields } from '#features/crm/leads/record/web/rejectionFields.ts'
import { useFieldsForm, type FieldsForm, type Sent } from '#web/form/useFieldsForm.ts'

interface Options {
  /** Name of the draft. */
  name: string
  onReject: (rejection: Sent<typeof rejectionFields>) => Promise<unknown>
  onRejected: () => void
}

/** Form of the dialogs for rejecting leads. Without a text, the name of the chosen reason is saved as the text. */
export function useRejectionForm({
  name,
  onReject,
  onRejected,
}: Options): FieldsForm<typeof rejectionFields> {
  const { reject_reasons } = useLeadOptions()
  const withText = (sent: Sent<typeof rejectionFields>) => {
    const reason = reject_reasons.find(({ id }) => id === sent.reject_reason_id)
    return sent.reject_msg.trim() === '' && reason ? { ...sent, reject_msg: reason.name } : sent
  }
  return useFieldsForm({
    name,
    fields: rejectionFields,
    schema: Rejection,
    adapt: withText,
    onSave: (sent) => onReject(withText(sent)),
    onSaved: onRejected,
  })
}
