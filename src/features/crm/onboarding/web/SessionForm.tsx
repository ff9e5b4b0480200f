import { Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.css'
import type { Fields } from '#shared/field.ts'
import type { Onboarding } from '#features/crm/onboarding/contract.ts'
import { onboardingSessions, PostSession } from '#features/crm/onboarding/sessions.contract.ts'
import { sessionFields } from '#features/crm/leads/demos/fields.ts'
import { MomentField } from '#features/crm/onboarding/web/MomentField.tsx'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import type { FieldValues } from '#web/form/fieldValues.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { instantMeant, typedOf, skippedTimeMessage } from '#web/dates/typedMoment.ts'
import { useUndo } from '#web/record/useUndo.ts'

const formFields = {
  ...sessionFields,
  is_completed: { label: 'Completed', empty: false },
} as const satisfies Fields

interface Props {
  onboarding: Onboarding
  session: Onboarding['sessions'][number] | undefined
  onClose: () => void
}

/** Form for an onboarding session; sessions of an onboarding are stored as sessions of its lead. */
export default function SessionForm({ onboarding, session, onClose }: Props) {
  const zone = onboarding.timezone
  const { announceAct } = useUndo()
  const { send } = useSend(onboardingSessions.postSession, { failure: 'throw' })
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
  const toSend = (values: FieldValues<typeof formFields>) => ({
    ...values,
    requested_date: instant(values.requested_date),
    final_date: instant(values.final_date),
    lead_onboaring_id: onboarding.id,
    ...(session ? { id: session.id } : {}),
  })
  const form = useFieldsForm({
    name: `onboarding-session-${onboarding.id}-${session?.id ?? 'new'}`,
    fields: formFields,
    schema: PostSession,
    initial,
    adapt: (_, values) => toSend(values),
    onSave: async (_, values) => {
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
      <Field
        form={form}
        name="type"
        required={false}
        options={[...new Set([initial.type, ...onboarding.session_types])].map((name) => ({
          value: name,
          label: name,
        }))}
      />
      <MomentField {...form.at('requested_date')} zone={zone} />
      <Field form={form} name="schedule_comment" rows={2} />
      <MomentField {...form.at('final_date')} zone={zone} />
      <Field form={form} name="final_comment" rows={2} />
      <Field form={form} name="received_date" />
      <Switch
        size="xs"
        label={formFields.is_completed.label}
        checked={is_completed}
        onChange={(event) => fields.setFieldValue('is_completed', event.currentTarget.checked)}
      />
    </FormModal>
  )
}
