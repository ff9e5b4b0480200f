import { onboardings, OnHold, type Onboarding } from '#features/crm/onboarding/contract.ts'
import { onboardingFields } from '#features/crm/onboarding/fields.ts'
import { useSend } from '#web/api/useSend.ts'
import { DayField, LongTextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { today } from '#web/time.ts'

interface Props {
  onboarding: Onboarding
  refresh: readonly { path: string }[]
  onClose: () => void
}

/** Form for putting an onboarding on hold, with a reason and an end date. */
export default function HoldForm({ onboarding: { id, organization }, refresh, onClose }: Props) {
  const { announceAct } = useUndo(refresh)
  const { send } = useSend(onboardings.updateStatus, { refresh, failure: 'throw' })
  const toSend = (values: { hold_reason: string; resume_on: string }) => ({
    ...values,
    id,
    status: 2 as const,
  })
  const form = useDraftForm({
    name: `onboarding-hold-${id}`,
    initial: { hold_reason: '', resume_on: '' },
    schema: OnHold,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) })
      if (reply) announceAct(reply.message, reply.operation)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Put ${organization} on hold`} form={form} onClose={onClose} saveLabel="Put on hold">
      <LongTextField
        form={form.fields}
        name="hold_reason"
        label="Reason"
        required
        autoFocus
        maxLength={1000}
      />
      <DayField
        form={form.fields}
        name="resume_on"
        label={onboardingFields.resume_on.label}
        min={today()}
        ahead
      />
    </FormModal>
  )
}
