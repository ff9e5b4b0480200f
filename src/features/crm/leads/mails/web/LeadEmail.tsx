import type { LeadRow } from '#features/crm/leads/contract.ts'
import { useLeadEmail } from '#features/crm/leads/mails/web/useLeadEmail.tsx'
import { EmailForm } from '#web/mail/EmailForm.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'

interface Props {
  lead: Pick<LeadRow, 'lead_id' | 'companyName' | 'followup_date'>
  /** ID of the template that the email begins with. */
  template?: string
  onClose: () => void
}

/** An email to a lead, written beside the list. */
export default function LeadEmail({ lead, template, onClose }: Props) {
  const email = useLeadEmail(lead)
  return (
    <RightModal title={`Email ${lead.companyName}`} size={720} onClose={onClose}>
      <EmailForm type="lead" id={lead.lead_id} template={template} {...email} />
    </RightModal>
  )
}
