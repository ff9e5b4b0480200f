import type { z } from 'zod'
import type { Rejection } from '#features/crm/leads/operations.contract.ts'
import { RejectionInputs } from '#features/crm/leads/record/web/RejectionInputs.tsx'
import { useRejectionForm } from '#features/crm/leads/record/web/useRejectionForm.ts'
import { FormModal } from '#web/form/FormModal.tsx'

interface Props {
  /** `3 leads`. */
  them: string
  onReject: (rejection: z.output<typeof Rejection>) => Promise<void>
  onClose: () => void
}

/** Dialog for rejecting the selected leads with a single message, which is stored on each lead. */
export default function RejectMany({ them, onReject, onClose }: Props) {
  const form = useRejectionForm({ name: 'reject-many', onReject, onRejected: onClose })
  return (
    <FormModal title={`Reject ${them}`} form={form} onClose={onClose} saveLabel="Reject">
      <RejectionInputs
        form={form}
        description="Saved on every selected lead. Leads that are already rejected keep their current reason."
      />
    </FormModal>
  )
}
