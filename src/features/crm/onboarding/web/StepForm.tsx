import { Switch } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type Onboarding, type OnboardingStep } from '#features/crm/onboarding/contract.ts'
import { onboardingSteps, PostOnboarding } from '#features/crm/onboarding/steps.contract.ts'
import { onboardingFields } from '#features/crm/onboarding/fields.ts'
import classes from '#features/crm/onboarding/web/onboarding.module.css'
import { MomentField } from '#features/crm/onboarding/web/MomentField.tsx'
import { useSend } from '#web/api/useSend.ts'
import { DayField, LongTextField, TextField } from '#web/form/inputs.tsx'
import { PersonField } from '#web/form/PersonField.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { storeForPage } from '#web/session.ts'
import { instantMeant, typedOf, skippedTimeMessage } from '#web/dates/typedMoment.ts'
import { useUndo } from '#web/record/useUndo.ts'

interface Props {
  onboarding: Onboarding
  stage: number
  step: OnboardingStep | undefined
  refresh: readonly { path: string }[]
  onClose: () => void
}

interface Values {
  [field: string]: string | boolean
  schedule_for: string
  schedule_comment: string
  completed_status: boolean
  completed_at: string
  completed_comment: string
  next_expected_date: string
  assign_to: string
  onboarding_by: string
  send_meeting_link: string
  contact_emails: string
  zoom_recording_link: string
  passcode: string
  send_email_for_set_crendentials: boolean
  training_session_request_in_followup: boolean
  add_more_session: boolean
}

/** Form for scheduling or completing a stage; times are entered in the organization's time zone. */
export default function StepForm({ onboarding, stage, step, refresh, onClose }: Props) {
  const zone = onboarding.timezone
  const name = onboarding.all_stages.find(({ id }) => id === stage)?.name ?? ''
  const { announceAct } = useUndo(refresh)
  const { send } = useSend(onboardingSteps.post, { refresh, failure: 'throw' })
  const initial = valuesOf(onboarding, step)
  const toSend = (values: Values) => inputOf({ onboarding, stage, step }, initial, values)
  const form = useDraftForm<Values>({
    name: `onboarding-${onboarding.id}-${step?.id ?? `stage-${stage}`}`,
    initial,
    schema: PostOnboarding,
    toSend,
    onSave: async (values) => {
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
      <StepFields form={form} onboarding={onboarding} isTraining={step?.is_training === true} />
    </FormModal>
  )
}

function StepFields({
  form: { fields },
  onboarding,
  isTraining,
}: {
  form: DraftForm<Values>
  onboarding: Onboarding
  isTraining: boolean
}) {
  const zone = onboarding.timezone
  const staff = useStaff(onboarding.lead_for)
  return (
    <>
      <MomentField form={fields} name="schedule_for" label="Scheduled for" zone={zone} />
      <LongTextField form={fields} name="schedule_comment" label="Comment" rows={2} maxLength={2000} />
      <YesField form={fields} name="completed_status" label="Completed" />
      {fields.values.completed_status && (
        <>
          <MomentField form={fields} name="completed_at" label="Completed at" zone={zone} />
          <LongTextField
            form={fields}
            name="completed_comment"
            label="Completion comment"
            rows={2}
            maxLength={2000}
          />
        </>
      )}
      <div className={classes.pair}>
        <DayField form={fields} name="next_expected_date" label={onboardingFields.next_expected_date.label} />
        <PersonField
          form={fields}
          name="assign_to"
          label={onboardingFields.assign_to.label}
          staff={staff}
          none="Unassigned"
        />
        <PersonField
          form={fields}
          name="onboarding_by"
          label={onboardingFields.onboarding_by.label}
          staff={staff}
          none="No one"
        />
      </div>
      <TextField
        form={fields}
        name="send_meeting_link"
        label="Meeting link"
        maxLength={2000}
        placeholder="https://"
      />
      <TextField form={fields} name="contact_emails" label="Participant email addresses" maxLength={4000} />
      <div className={classes.pair}>
        <TextField
          form={fields}
          name="zoom_recording_link"
          label="Recording"
          maxLength={2000}
          placeholder="https://"
        />
        <TextField form={fields} name="passcode" label="Passcode" maxLength={100} />
      </div>
      <YesField
        form={fields}
        name="send_email_for_set_crendentials"
        label="Email users instructions for setting their credentials (can’t be undone)"
      />
      <YesField
        form={fields}
        name="training_session_request_in_followup"
        label="Training requested in a follow-up"
      />
      {!isTraining && <YesField form={fields} name="add_more_session" label="Add training session" />}
    </>
  )
}

function YesField({ form, name, label }: { form: UseFormReturnType<Values>; name: string; label: string }) {
  return (
    <Switch
      size="xs"
      label={label}
      checked={form.values[name] === true}
      onChange={(event) => form.setFieldValue(name, event.currentTarget.checked)}
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
