import { Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.css'
import { useQuery } from '@tanstack/react-query'
import { appointmentFields, sessionMinutes } from '#shared/appointments.contract.ts'
import type { Fields } from '#shared/field.ts'
import { panelSettings } from '#features/admin/settings/contract.ts'
import type { Onboarding } from '#features/crm/onboarding/contract.ts'
import { onboardingSessions, PostSession } from '#features/crm/onboarding/sessions.contract.ts'
import { sessionFields } from '#features/crm/leads/demos/fields.ts'
import { MomentField } from '#features/crm/onboarding/web/MomentField.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { AppointmentFields, InvitationField } from '#web/appointments/AppointmentFields.tsx'
import { changedOf } from '#web/form/changedOf.ts'
import { Field } from '#web/form/Field.tsx'
import type { FieldValues } from '#web/form/fieldValues.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { instantMeant, typedOf, skippedTimeMessage } from '#web/dates/typedMoment.ts'
import { useUndo } from '#web/record/useUndo.ts'

const formFields = {
  ...sessionFields,
  ...appointmentFields,
  is_completed: { label: 'Completed', empty: false },
} as const satisfies Fields
type Values = FieldValues<typeof formFields>

interface Props {
  onboarding: Onboarding
  session: Onboarding['sessions'][number] | undefined
  onClose: () => void
}

/** Form for an onboarding session; sessions of an onboarding are stored as sessions of its lead. */
export default function SessionForm({ onboarding, session, onClose }: Props) {
  const zone = onboarding.timezone
  const form = useSession({ onboarding, session, onClose })
  const settings = useQuery(queryOptionsFor(panelSettings.offered))
  const { fields } = form
  const { type, requested_date, final_date, is_completed } = fields.values
  const instantOf = (typed: string) => instantMeant({ typed, zone, occurrence: 'first' })
  const scheduled = instantOf(final_date)
  const of = { ...onboarding, type: 'onboarding', email: onboarding.contact_email } as const
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
        options={[...new Set([session?.type ?? type, ...onboarding.session_types])].map((name) => ({
          value: name,
          label: name,
        }))}
      />
      <MomentField {...form.at('requested_date')} zone={zone} />
      <Field form={form} name="schedule_comment" rows={2} />
      <MomentField {...form.at('final_date')} zone={zone} />
      <AppointmentFields
        form={form}
        planned={{
          of,
          saved: session?.id,
          at: scheduled ?? instantOf(requested_date),
          isScheduled: scheduled !== undefined && !is_completed,
          isDone: is_completed,
        }}
        workingHours={settings.data?.data.working_hours}
        onMove={(at) => fields.setFieldValue('final_date', typedOf(at, zone).typed)}
      />
      <Field form={form} name="final_comment" rows={2} />
      <Field form={form} name="received_date" />
      <Switch
        size="xs"
        label={formFields.is_completed.label}
        checked={is_completed}
        onChange={(event) => fields.setFieldValue('is_completed', event.currentTarget.checked)}
      />
      {final_date !== '' && !is_completed && <InvitationField form={form} of={of} />}
    </FormModal>
  )
}

/** Form state for creating or editing an onboarding session. */
function useSession({ onboarding, session, onClose }: Props) {
  const { announceAct } = useUndo()
  const { send } = useSend(onboardingSessions.postSession, { failure: 'throw' })
  const initial = valuesOf(onboarding, session)
  const which = { lead_onboaring_id: onboarding.id, ...(session ? { id: session.id } : {}) }
  const toSend = (values: Values) => ({ ...sentOf(values, onboarding.timezone), ...which })
  return useFieldsForm({
    name: `onboarding-session-${onboarding.id}-${session?.id ?? 'new'}`,
    fields: formFields,
    schema: PostSession,
    initial,
    adapt: (_, values) => toSend(values),
    onSave: async (_, values) => {
      // Of an existing session, only what changed is sent, so that concurrent changes by others are preserved.
      const body = session ? { ...changedOf(toSend(values), toSend(initial)), ...which } : toSend(values)
      const invite = values.invite === '1' && values.final_date !== '' && !values.is_completed
      const reply = await send({ body: { ...body, ...(invite && { invite }) } })
      if (reply) announceAct(reply.message, reply.operation)
    },
    onSaved: onClose,
  })
}

function valuesOf(
  { timezone: zone, session_types, contact_email }: Onboarding,
  session: Props['session'],
): Values {
  return {
    type: session?.type ?? session_types[0] ?? '',
    requested_date: typedOf(session?.requested_date, zone).typed,
    schedule_comment: session?.schedule_comment ?? '',
    final_date: typedOf(session?.final_date, zone).typed,
    final_comment: session?.final_comment ?? '',
    received_date: session?.received_date ?? '',
    minutes: String(session?.minutes ?? sessionMinutes),
    host_ids: session?.host_ids.map(String) ?? [],
    place: session?.place ?? '',
    guests: session?.guests ?? [],
    invite: !session && contact_email ? '1' : '',
    is_completed: session?.is_completed ?? false,
  }
}

function sentOf({ invite: _, ...values }: Values, zone: string) {
  const instant = (typed: string) =>
    typed === '' ? null : (instantMeant({ typed, zone, occurrence: 'first' }) ?? 'no such time')
  return {
    ...values,
    requested_date: instant(values.requested_date),
    final_date: instant(values.final_date),
    minutes: Number(values.minutes),
    guests: [...values.guests],
    host_ids: values.host_ids.map(Number),
  }
}
