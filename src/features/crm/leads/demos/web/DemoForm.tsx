import { demos, type Demo } from '#features/crm/leads/demos/contract.ts'
import { requestedStatus, scheduledStatus } from '#features/crm/leads/demos.rules.ts'
import { useStatusOffer } from '#features/crm/leads/demos/web/useStatusOffer.ts'
import { SessionFields, useSession, type SessionLead } from '#features/crm/leads/demos/web/sessionForm.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'

interface Props {
  lead: SessionLead
  demo: Demo | undefined
  types: readonly string[]
  onClose: () => void
}

/** Dialog for creating or editing a lead's session. */
export default function DemoForm({ onClose, ...session }: Props) {
  const { lead, demo } = session
  const whyNotSave = useWhyNotSave(demos.save)
  const name = demo ? `demo-${demo.id}` : `demo-new-${lead.lead_id}`
  const { offer } = useStatusOffer(lead)
  // A session that had a time already is only changed.
  const isNew = demo === undefined || demo.status === requestedStatus
  const form = useSession({
    ...session,
    name,
    onSent: ({ final_date }) => {
      if (isNew && final_date !== '') offer(scheduledStatus)
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={demo ? `Edit ${demo.type}` : 'New session'}
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
      size="lg"
    >
      <SessionFields form={form} {...session} />
    </FormModal>
  )
}
