import { leads, type LeadRow } from '#features/crm/leads/contract.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import { RejectionInputs } from '#features/crm/leads/record/web/RejectionInputs.tsx'
import { useRejectionForm } from '#features/crm/leads/record/web/useRejectionForm.ts'
import { useSend } from '#web/api/useSend.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { useUndo } from '#web/record/useUndo.ts'

interface Props {
  lead: Pick<LeadRow, 'lead_id' | 'companyName'>
  /** The version that the user saw; the lead is rejected only if no one has changed its status since then. */
  version?: number
  /** Called when the lead has been rejected, instead of `onClose`. */
  onRejected?: () => void
  onClose: () => void
}

/** Dialog for rejecting a lead with a message, which is stored on the lead. */
export default function RejectLead({ lead, version, onRejected, onClose }: Props) {
  const { announceAct } = useUndo()
  const { send } = useSend(leads.changeDemoRequestStatus, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(leads.changeDemoRequestStatus, {
    query: { id: lead.lead_id, status: rejectedStatus },
  })
  const form = useRejectionForm({
    name: `reject-${lead.lead_id}`,
    onReject: async ({ reject_msg, reject_reason_id }) => {
      const query = { id: lead.lead_id, status: rejectedStatus, reject_msg, version }
      const reply = await send({ query: { ...query, reject_reason_id: reject_reason_id ?? undefined } })
      announceAct(`${lead.companyName} rejected.`, reply?.operation)
    },
    onRejected: onRejected ?? onClose,
  })
  return (
    <FormModal
      title={`Reject ${lead.companyName}`}
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
      saveLabel="Reject"
    >
      <RejectionInputs form={form} description="Visible to everyone with access to this lead." />
    </FormModal>
  )
}
