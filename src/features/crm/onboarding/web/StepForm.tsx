import { Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.css'
import type { Fields } from '#shared/field.ts'
import type { Onboarding, OnboardingStep } from '#features/crm/onboarding/contract.ts'
import { onboardingSteps, PostOnboarding } from '#features/crm/onboarding/steps.contract.ts'
import { onboardingFields } from '#features/crm/onboarding/fields.ts'
import classes from '#features/crm/onboarding/web/onboarding.module.css'
import { MomentField } from '#features/crm/onboarding/web/MomentField.tsx'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import type { FieldValues } from '#web/form/fieldValues.ts'
import { PersonField } from '#web/form/PersonField.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm, type FieldsForm } from '#web/form/useFieldsForm.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { storeForPage } from '#web/session.ts'
import { instantMeant, typedOf, skippedTimeMessage } from '#web/dates/typedMoment.ts'
import { useUndo } from '#web/record/useUndo.ts'

interface Props {
  onboarding: Onboarding
  stage: number
  step: OnboardingStep | undefined
  onClose: () => void
}

const stepFields = {
  schedule_for: { label: 'Scheduled for', empty: '' },
  schedule_comment: { label: 'Comment', empty: '' },
  completed_status: { label: 'Completed', empty: false },
  completed_at: { ...onboardingFields.completed_at, empty: '' },
  completed_comment: { label: 'Completion comment', empty: '' },
  next_expected_date: { ...onboardingFields.next_expected_date, empty: '' },
  assign_to: { ...onboardingFields.assign_to, empty: '' },
  onboarding_by: { ...onboardingFields.onboarding_by, empty: '' },
  send_meeting_link: { label: 'Meeting link', empty: '' },
  contact_emails: { label: 'Participant email addresses', empty: '' },
  zoom_recording_link: { label: 'Recording', empty: '' },
  passcode: { label: 'Passcode', empty: '' },
  send_email_for_set_crendentials: {
    label: 'Email users instructions for setting their credentials (can’t be undone)',
    empty: false,
  },
  training_session_request_in_followup: { label: 'Training requested in a follow-up', empty: false },
  add_more_session: { label: 'Add training session', empty: false },
} as const satisfies Fields
type Values = FieldValues<typeof stepFields>

/** Form for scheduling or completing a stage; times are entered in the organization's time zone. */
export default function StepForm({ onboarding, stage, step, onClose }: Props) {
  const zone = onboarding.timezone
  const name = onboarding.all_stages.find(({ id }) => id === stage)?.name ?? ''
  const { announceAct } = useUndo()
  const { send } = useSend(onboardingSteps.post, { failure: 'throw' })
  const initial = valuesOf(onboarding, step)
  const toSend = (values: Values) => inputOf({ onboarding, stage, step }, initial, values)
  const form = useFieldsForm({
    name: `onboarding-${onboarding.id}-${step?.id ?? `stage-${stage}`}`,
    fields: stepFields,
    schema: PostOnboarding,
    initial,
    adapt: (_, values) => toSend(values),
    onSave: async (_, values) => {
      const reply = await send({ body: toSend(values) })
      if (!reply) return
      storeForPage('onboarding_status', reply.onboarding_status)
      announceAct(reply.message, reply.operation)
    },
    onSaved: onClose,
  })
  const { schedule_for, completed_at } = form.fields.values
  const noTime =
    skippedTimeMessage({ typed: schedule_for, zone }) ?? skippedTimeMessage({ typed: completed_at, zone })
  return (
    <FormModal
      title={`${name}: ${onboarding.organization}`}
      form={form}
      onClose={onClose}
      side="right"
      whyNotSave={noTime}
    >
      <StepInputs form={form} onboarding={onboarding} isTraining={step?.is_training === true} />
    </FormModal>
  )
}

interface InputsProps {
  form: FieldsForm<typeof stepFields>
  onboarding: Onboarding
  isTraining: boolean
}

function StepInputs({ form, onboarding, isTraining }: InputsProps) {
  const zone = onboarding.timezone
  const staff = useStaff(onboarding.lead_for)
  return (
    <>
      <MomentField {...form.at('schedule_for')} zone={zone} />
      <Field form={form} name="schedule_comment" rows={2} />
      <YesField form={form} name="completed_status" />
      {form.fields.values.completed_status && (
        <>
          <MomentField {...form.at('completed_at')} zone={zone} />
          <Field form={form} name="completed_comment" rows={2} />
        </>
      )}
      <div className={classes.pair}>
        <Field form={form} name="next_expected_date" />
        <PersonField {...form.at('assign_to')} staff={staff} none="Unassigned" />
        <PersonField {...form.at('onboarding_by')} staff={staff} none="No one" />
      </div>
      <Field form={form} name="send_meeting_link" placeholder="https://" />
      <Field form={form} name="contact_emails" singleLine maxLength={4000} />
      <div className={classes.pair}>
        <Field form={form} name="zoom_recording_link" placeholder="https://" />
        <Field form={form} name="passcode" />
      </div>
      <YesField form={form} name="send_email_for_set_crendentials" />
      <YesField form={form} name="training_session_request_in_followup" />
      {!isTraining && <YesField form={form} name="add_more_session" />}
    </>
  )
}

function YesField({ form, name }: Pick<InputsProps, 'form'> & { name: keyof Values }) {
  return (
    <Switch
      size="xs"
      label={stepFields[name].label}
      checked={form.fields.values[name] === true}
      onChange={(event) => form.fields.setFieldValue(name, event.currentTarget.checked)}
    />
  )
}

function valuesOf(onboarding: Onboarding, step: OnboardingStep | undefined): Values {
  const zone = onboarding.timezone
  return {
    schedule_for: typedOf(step?.schedule_for, zone).typed,
    schedule_comment: step?.schedule_comment ?? '',
    completed_status: step?.completed_status ?? false,
    completed_at: typedOf(step?.completed_at, zone).typed,
    completed_comment: step?.completed_comment ?? '',
    next_expected_date: step?.next_expected_date ?? '',
    assign_to: String(step?.assign_to ?? onboarding.assign_to ?? ''),
    onboarding_by: String(step?.onboarding_by ?? ''),
    send_meeting_link: step?.send_meeting_link ?? '',
    contact_emails: (step?.contact_emails ?? onboarding.addresses.slice(0, 1)).join(', '),
    zoom_recording_link: step?.zoom_recording_link ?? '',
    passcode: step?.passcode ?? '',
    send_email_for_set_crendentials: step?.send_email_for_set_crendentials ?? false,
    training_session_request_in_followup: step?.training_session_request_in_followup ?? false,
    add_more_session: step?.add_more_session ?? false,
  }
}

/** Returns the request body: all values of a new step, or the changed values of an existing one. */
function inputOf(
  { onboarding, stage, step }: Pick<Props, 'onboarding' | 'stage' | 'step'>,
  initial: Values,
  values: Values,
) {
  const instant = (typed: string) =>
    typed === ''
      ? null
      : (instantMeant({ typed, zone: onboarding.timezone, occurrence: 'first' }) ?? 'no such time')
  const whole = (one: Values) => ({
    ...one,
    schedule_for: instant(one.schedule_for),
    completed_at: one.completed_status ? instant(one.completed_at) : null,
  })
  const [next, before] = [whole(values), whole(initial)] as Record<string, unknown>[]
  const entries = Object.entries(next!).filter(([field, value]) => !step || value !== before![field])
  // If a date is left blank, the server sets it.
  const kept = entries.filter(
    ([field, value]) =>
      !(field === 'next_expected_date' && value === '' && !step?.next_expected_date) &&
      !(field === 'completed_at' && value === null && values.completed_status),
  )
  return {
    lead_onboaring_id: onboarding.id,
    org_id: onboarding.org_id,
    ...(step ? { lead_onboaring_stage_id: step.id } : { stage }),
    ...Object.fromEntries(kept),
  }
}
