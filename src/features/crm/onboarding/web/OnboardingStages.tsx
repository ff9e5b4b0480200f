import { Button } from '@mantine/core'
import type { Onboarding, OnboardingStep } from '#features/crm/onboarding/contract.ts'
import { onboardingSteps } from '#features/crm/onboarding/steps.contract.ts'
import classes from '#features/crm/onboarding/web/onboarding.module.css'
import type { OpenDialog } from '#features/crm/onboarding/web/OnboardingDialogs.tsx'
import { DualTime } from '#web/DualTime.tsx'
import { useSend } from '#web/api/useSend.ts'
import { Tone } from '#web/parts/Tone.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { Panel } from '#web/parts/Panel.tsx'
import { Head } from '#web/parts/Head.tsx'

interface Props {
  onboarding: Onboarding
  onOpen: (dialog: OpenDialog) => void
}

/** The stages of an onboarding, each with its training sessions. */
export function OnboardingStages(props: Props) {
  return (
    <Panel dense aria-label="Stages">
      <h2>Stages</h2>
      <ol className={classes.steps}>
        {props.onboarding.all_stages.map((stage) => (
          <Stage key={stage.id} stage={stage} {...props} />
        ))}
      </ol>
    </Panel>
  )
}

function Stage({ stage, onboarding, onOpen }: Props & { stage: { id: number; name: string } }) {
  const own = onboarding.steps.filter((step) => step.stage === stage.id)
  const main = own.find((step) => !step.is_training)
  return (
    <li
      className={classes.step}
      data-current={(stage.id === onboarding.stage && onboarding.status !== 3) || undefined}
    >
      <Head>
        <span className={classes.name}>{stage.name}</span>
        <span className={classes.buttons}>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => onOpen({ what: 'step', stage: stage.id, ...(main ? { step: main } : {}) })}
          >
            {main?.completed_status ? `Edit ${stage.name}` : `Schedule or complete ${stage.name}`}
          </Button>
          <AddTraining stage={stage} onboarding={onboarding} />
        </span>
      </Head>
      {main && <StepSummary step={main} zone={onboarding.timezone} />}
      {own
        .filter((step) => step.is_training)
        .map((step, index) => (
          <div key={step.id}>
            <Head>
              <span>Training {index + 1}</span>
              <Button
                size="compact-xs"
                variant="subtle"
                aria-label={`Edit training session ${index + 1} of ${stage.name}`}
                onClick={() => onOpen({ what: 'step', stage: stage.id, step })}
              >
                Edit
              </Button>
            </Head>
            <StepSummary step={step} zone={onboarding.timezone} />
          </div>
        ))}
    </li>
  )
}

function AddTraining({ stage, onboarding }: { stage: { id: number; name: string }; onboarding: Onboarding }) {
  const { id, org_id } = onboarding
  const { announceAct } = useUndo()
  const { send } = useSend(onboardingSteps.addTrainingSession, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      aria-label={`Add training session to ${stage.name}`}
      onClick={() => void send({ body: { id, lead_onboaring_id: id, org_id, stage: stage.id } })}
    >
      Add training session
    </Button>
  )
}

function StepSummary({ step, zone }: { step: OnboardingStep; zone: string }) {
  return (
    <>
      {step.schedule_for && (
        <p>
          <DualTime at={step.schedule_for} zone={zone} /> {step.schedule_comment}
        </p>
      )}
      {step.completed_status && (
        <p>
          <Tone tone="green">Completed</Tone>{' '}
          {step.completed_at && <DualTime at={step.completed_at} zone={zone} />} {step.completed_comment}
        </p>
      )}
      {step.training_session_request_in_followup && (
        <Tone tone="violet">Training requested in a follow-up</Tone>
      )}
      {step.send_meeting_link && (
        <a href={step.send_meeting_link} target="_blank" rel="noreferrer noopener">
          Meeting link
        </a>
      )}
      {step.zoom_recording_link && (
        <p>
          <a href={step.zoom_recording_link} target="_blank" rel="noreferrer noopener">
            Recording
          </a>
          {step.passcode && ` · passcode ${step.passcode}`}
        </p>
      )}
    </>
  )
}
