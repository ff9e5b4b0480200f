import type { z } from 'zod'
import { Rejection } from '#features/crm/leads/operations.contract.ts'
import { rejectionFields } from '#features/crm/leads/record/web/rejectionFields.ts'
import { RejectionInputs } from '#features/crm/leads/record/web/RejectionInputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'

interface Props {
  /** `3 leads`. */
  them: string
  onReject: (rejection: z.output<typeof Rejection>) => Promise<void>
  onClose: () => void
}

/** Dialog for rejecting the selected leads with a single message, which is stored on each lead. */
export default function RejectMany({ them, onReject, onClose }: Props) {
  const form = useFieldsForm({
    name: 'reject-many',
    fields: rejectionFields,
    schema: Rejection,
    onSave: onReject,
    onSaved: onClose,
  })
  return (
    <FormModal title={`Reject ${them}`} form={form} onClose={onClose} saveLabel="Reject">
      <RejectionInputs
        form={form}
        description="Saved on every selected lead. Leads that are already rejected keep their current reason."
      />
    </FormModal>
  )
}
