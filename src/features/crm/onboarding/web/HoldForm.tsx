import type { Fields } from '#shared/field.ts'
import { onboardings, OnHold, type Onboarding } from '#features/crm/onboarding/contract.ts'
import { onboardingFields } from '#features/crm/onboarding/fields.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { today } from '#web/time.ts'

const holdFields = {
  hold_reason: { ...onboardingFields.hold_reason, label: 'Reason', empty: '' },
  resume_on: { ...onboardingFields.resume_on, empty: '' },
} as const satisfies Fields

interface Props {
  onboarding: Onboarding
  onClose: () => void
}

/** Form for putting an onboarding on hold, with a reason and an end date. */
export default function HoldForm({ onboarding: { id, organization }, onClose }: Props) {
  const { announceAct } = useUndo()
  const { send } = useSend(onboardings.updateStatus, { failure: 'throw' })
  const adapt = <Sent extends object>(sent: Sent) => ({ ...sent, id, status: 2 as const })
  const form = useFieldsForm({
    name: `onboarding-hold-${id}`,
    fields: holdFields,
    schema: OnHold,
    adapt,
    onSave: async (sent) => {
      const reply = await send({ body: adapt(sent) })
      if (reply) announceAct(reply.message, reply.operation)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Put ${organization} on hold`} form={form} onClose={onClose} saveLabel="Put on hold">
      <Field form={form} name="hold_reason" required autoFocus />
      <Field form={form} name="resume_on" min={today()} ahead />
    </FormModal>
  )
}
