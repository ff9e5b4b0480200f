import { Rejection } from '#features/crm/leads/operations.contract.ts'
import { rejectionFields } from '#features/crm/leads/record/web/rejectionFields.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'

interface Props {
  /** `3 leads`. */
  them: string
  onReject: (reject_msg: string) => Promise<void>
  onClose: () => void
}

/** Dialog for rejecting the selected leads with a single message, which is stored on each lead. */
export default function RejectMany({ them, onReject, onClose }: Props) {
  const form = useFieldsForm({
    name: 'reject-many',
    fields: rejectionFields,
    schema: Rejection,
    onSave: async ({ reject_msg }) => {
      await onReject(reject_msg)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Reject ${them}`} form={form} onClose={onClose} saveLabel="Reject">
      <Field
        form={form}
        name="reject_msg"
        description="Saved on every selected lead. Leads that are already rejected keep their current reason."
        autoFocus
      />
    </FormModal>
  )
}
