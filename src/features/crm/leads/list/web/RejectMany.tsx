import { z } from 'zod'
import { requiredText } from '#shared/schemas.ts'
import { LongTextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'

const Rejection = z.object({ reject_msg: requiredText(2000) })

interface Props {
  /** `3 leads`. */
  them: string
  onReject: (reject_msg: string) => Promise<void>
  onClose: () => void
}

/** Dialog for rejecting the selected leads with a single message, which is stored on each lead. */
export default function RejectMany({ them, onReject, onClose }: Props) {
  const form = useDraftForm({
    name: 'reject-many',
    initial: { reject_msg: '' },
    schema: Rejection,
    onSave: async ({ reject_msg }) => {
      await onReject(reject_msg)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Reject ${them}`} form={form} onClose={onClose} saveLabel="Reject">
      <LongTextField
        form={form.fields}
        name="reject_msg"
        label="Reason"
        description="Saved on every selected lead. Leads that are already rejected keep their current reason."
        required
        autoFocus
        maxLength={2000}
      />
    </FormModal>
  )
}
