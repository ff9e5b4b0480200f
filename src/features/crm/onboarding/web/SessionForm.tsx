import { Switch } from '@mantine/core'
import { type Onboarding } from '#features/crm/onboarding/contract.ts'
import { onboardingSessions, PostSession } from '#features/crm/onboarding/sessions.contract.ts'
import { MomentField } from '#features/crm/onboarding/web/MomentField.tsx'
import { useSend } from '#web/api/useSend.ts'
import { ChoiceField, DayField, LongTextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { instantMeant, typedOf, skippedTimeMessage } from '#web/dates/typedMoment.ts'
import { useUndo } from '#web/record/useUndo.ts'

interface Props {
  onboarding: Onboarding
  session: Onboarding['sessions'][number] | undefined
  refresh: readonly { path: string }[]
  onClose: () => void
}

/** Form for an onboarding session; sessions of an onboarding are stored as sessions of its lead. */
export default function SessionForm({ onboarding, session, refresh, onClose }: Props) {
  const zone = onboarding.timezone
  const { announceAct } = useUndo(refresh)
  const { send } = useSend(onboardingSessions.postSession, { refresh, failure: 'throw' })
  const instant = (typed: string) =>
    typed === '' ? null : (instantMeant({ typed, zone, occurrence: 'first' }) ?? 'no such time')
  const initial = {
    type: session?.type ?? onboarding.session_types[0] ?? '',
    requested_date: typedOf(session?.requested_date, zone).typed,
    schedule_comment: session?.schedule_comment ?? '',
    final_date: typedOf(session?.final_date, zone).typed,
    final_comment: session?.final_comment ?? '',
    received_date: session?.received_date ?? '',
    is_completed: session?.is_completed ?? false,
  }
  const toSend = (values: typeof initial) => ({
    ...values,
    requested_date: instant(values.requested_date),
    final_date: instant(values.final_date),
    lead_onboaring_id: onboarding.id,
    ...(session ? { id: session.id } : {}),
  })
  const form = useDraftForm({
    name: `onboarding-session-${onboarding.id}-${session?.id ?? 'new'}`,
    initial,
    schema: PostSession,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) })
      if (reply) announceAct(reply.message, reply.operation)
    },
    onSaved: onClose,
  })
  const { fields } = form
  const { requested_date, final_date, is_completed } = fields.values
  return (
    <FormModal
      title={session ? `Edit ${session.type}` : 'New session'}
      form={form}
      onClose={onClose}
      side="right"
      whyNotSave={
        skippedTimeMessage({ typed: requested_date, zone }) ?? skippedTimeMessage({ typed: final_date, zone })
      }
    >
      <ChoiceField
        form={fields}
        name="type"
        label="Type"
        options={[...new Set([initial.type, ...onboarding.session_types])].map((name) => ({
          value: name,
          label: name,
        }))}
      />
      <MomentField form={fields} name="requested_date" label="Requested time" zone={zone} />
      <LongTextField
        form={fields}
        name="schedule_comment"
        label="Request comment"
        rows={2}
        maxLength={2000}
      />
      <MomentField form={fields} name="final_date" label="Scheduled time" zone={zone} />
      <LongTextField form={fields} name="final_comment" label="Schedule comment" rows={2} maxLength={2000} />
      <DayField form={fields} name="received_date" label="Request received" />
      <Switch
        size="xs"
        label="Completed"
        checked={is_completed}
        onChange={(event) => fields.setFieldValue('is_completed', event.currentTarget.checked)}
      />
    </FormModal>
  )
}
