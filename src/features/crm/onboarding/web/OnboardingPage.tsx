import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { dayText } from '#shared/dates.ts'
import { can } from '#shared/access.ts'
import { records } from '#shared/record.contract.ts'
import { onboardings, type Onboarding, type OnboardingStep } from '#features/crm/onboarding/contract.ts'
import { onboardingFields } from '#features/crm/onboarding/fields.ts'
import { dayInStage } from '#features/crm/onboarding/rules.ts'
import classes from '#features/crm/onboarding/web/onboarding.module.css'
import { StatusTone } from '#features/crm/onboarding/web/OnboardingsPage.tsx'
import { DualTime } from '#features/crm/onboarding/web/OnboardingTimes.tsx'
import { Progress } from '#features/crm/onboarding/web/OnboardingProgress.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { useChanged } from '#web/live.ts'
import { LiveMailProgress } from '#web/mail/MailProgress.tsx'
import { useOrganization } from '#web/organization.ts'
import { Facts, type EditInPlace } from '#web/record/Facts.tsx'
import { byId, withWords, type RecordFields } from '#web/record/fieldWords.ts'
import { LastAct } from '#web/record/LastAct.tsx'
import { RecordLayout, RecordPage } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { today } from '#web/time.ts'
import { pageOf } from '#web/record/recordAddress.ts'

const StepForm = lazyPart(() => import('#features/crm/onboarding/web/StepForm.tsx'))
const SessionForm = lazyPart(() => import('#features/crm/onboarding/web/SessionForm.tsx'))
const HoldForm = lazyPart(() => import('#features/crm/onboarding/web/HoldForm.tsx'))
const LinkForm = lazyPart(() => import('#features/crm/onboarding/web/LinkForm.tsx'))

const parents = [['/on-boarding', 'Onboarding']] as const
const refresh = [onboardings.list, onboardings.show, onboardings.schedule, records.history]

/** Page for an onboarding: stages, sessions, meeting link, notes, and history. */
export function OnboardingPage() {
  const params = useParams({ strict: false }) as { id?: string }
  const id = Number(params.id)
  useChanged('onboarding', [onboardings.show])
  useChanged('mails', [onboardings.show])
  if (!Number.isSafeInteger(id) || id < 1) return <NotFoundPage />
  return (
    <RecordPage<{ data: Onboarding }>
      asked={queryOptionsFor(onboardings.show, { query: { id } })}
      title="Onboarding details"
    >
      {({ data }) => <OnboardingDetails key={data.id} onboarding={data} />}
    </RecordPage>
  )
}

type Open =
  | { what: 'hold' | 'link' }
  | { what: 'session'; id?: number }
  | { what: 'step'; stage: number; step?: OnboardingStep }

function OnboardingDetails({ onboarding }: { onboarding: Onboarding }) {
  const { id, org_id, organization, all_stages, steps, sessions, status } = onboarding
  const [open, setOpen] = useState<Open>()
  useOrganization(org_id)
  const viewer = useViewer()
  const { announceAct } = useUndo(refresh)
  const staff = useStaff(onboarding.lead_for)
  const { send: save } = useSend(onboardings.update, {
    refresh,
    failure: 'throw',
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const { send: setStatus, sending } = useSend(onboardings.updateStatus, {
    refresh,
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const { send: addTraining } = useSend(onboardings.addTrainingSession, {
    refresh,
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const mayHold = useMay(onboardings.updateStatus, { body: { id, status: 1 } })
  const mayLink = useMay(onboardings.sendMeetingLink, { body: { lead_id: 1, lead_onboarding_id: id } })
  const words: RecordFields = {
    ...withWords(onboardingFields, {
      stage: byId(all_stages),
      assign_to: byId(staff),
      onboarding_by: byId(staff),
    }),
    send_email_for_set_crendentials: { label: 'Credentials email' },
  }
  const day = dayInStage(onboarding.stage_since, today())
  const edit = (
    name: 'assign_to' | 'next_expected_date',
    value: string,
    kind: EditInPlace['kind'],
    options?: EditInPlace['options'],
  ): EditInPlace => ({
    kind,
    value,
    ...(options ? { options } : {}),
    save: (typed) =>
      save({
        params: { id },
        body: {
          [name]: typed === '' ? null : name === 'assign_to' ? Number(typed) : typed,
          version: onboarding.version,
          base: { [name]: value === '' ? null : name === 'assign_to' ? Number(value) : value },
        },
      }),
  })
  const close = () => setOpen(undefined)
  const maySeeOrganization = can(viewer, 'all_organization_list')
  const maySeeLead = can(viewer, 'lead_detail')

  return (
    <>
      <RecordHeader type="onboarding" id={onboarding.id} title={organization} parents={parents}>
        {mayLink && (
          <Button size="xs" variant="default" onClick={() => setOpen({ what: 'link' })}>
            Send meeting link
          </Button>
        )}
        {mayHold && status === 1 && (
          <Button size="xs" variant="default" onClick={() => setOpen({ what: 'hold' })}>
            Put on hold
          </Button>
        )}
        {mayHold && status === 2 && (
          <Button
            size="xs"
            variant="default"
            loading={sending}
            onClick={() => void setStatus({ body: { id, status: 1 } })}
          >
            Resume
          </Button>
        )}
      </RecordHeader>
      <RecordLayout
        timeline={
          <Timeline
            type="onboarding"
            id={id}
            fields={words}
            more={onboarding.mails.map((mail) => ({
              id: `mail-${mail.id}`,
              kind: 'Emails',
              at: mail.created_at,
              ...(mail.who ? { who: mail.who } : {}),
              content: <MailLine id={mail.id} subject={mail.subject} progress={mail.progress} />,
            }))}
          />
        }
        more={
          <>
            <section className={classes.panel} aria-label="Stages">
              <h2>Stages</h2>
              <ol className={classes.steps}>
                {all_stages.map((stage) => {
                  const own = steps.filter((step) => step.stage === stage.id)
                  const main = own.find((step) => !step.is_training)
                  return (
                    <li
                      key={stage.id}
                      className={classes.step}
                      data-current={(stage.id === onboarding.stage && status !== 3) || undefined}
                    >
                      <div className={classes.head}>
                        <span className={classes.name}>{stage.name}</span>
                        <span className={classes.buttons}>
                          <Button
                            size="compact-xs"
                            variant="default"
                            onClick={() =>
                              setOpen({ what: 'step', stage: stage.id, ...(main ? { step: main } : {}) })
                            }
                          >
                            {main?.completed_status
                              ? `Edit ${stage.name}`
                              : `Schedule or complete ${stage.name}`}
                          </Button>
                          <Button
                            size="compact-xs"
                            variant="subtle"
                            aria-label={`Add training session to ${stage.name}`}
                            onClick={() =>
                              void addTraining({
                                body: { id, lead_onboaring_id: id, org_id, stage: stage.id },
                              })
                            }
                          >
                            Add training session
                          </Button>
                        </span>
                      </div>
                      {main && <StepSummary step={main} zone={onboarding.timezone} />}
                      {own
                        .filter((step) => step.is_training)
                        .map((step, index) => (
                          <div key={step.id}>
                            <div className={classes.head}>
                              <span>Training {index + 1}</span>
                              <Button
                                size="compact-xs"
                                variant="subtle"
                                aria-label={`Edit training session ${index + 1} of ${stage.name}`}
                                onClick={() => setOpen({ what: 'step', stage: stage.id, step })}
                              >
                                Edit
                              </Button>
                            </div>
                            <StepSummary step={step} zone={onboarding.timezone} />
                          </div>
                        ))}
                    </li>
                  )
                })}
              </ol>
            </section>
            <section className={classes.panel} aria-label="Sessions">
              <div className={classes.head}>
                <h2>Sessions</h2>
                <Button size="compact-xs" variant="default" onClick={() => setOpen({ what: 'session' })}>
                  New session
                </Button>
              </div>
              {sessions.length === 0 && <p className={classes.soft}>No sessions yet.</p>}
              <ul className={classes.plain}>
                {sessions.map((session) => (
                  <li key={session.id} className={classes.entry}>
                    <span>{session.type}</span>
                    {(session.final_date ?? session.requested_date) && (
                      <DualTime
                        at={(session.final_date ?? session.requested_date)!}
                        zone={onboarding.timezone}
                      />
                    )}
                    <Tone tone={session.is_completed ? 'green' : session.final_date ? 'blue' : 'yellow'}>
                      {session.is_completed ? 'Completed' : session.final_date ? 'Scheduled' : 'Requested'}
                    </Tone>
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      aria-label={`Edit ${session.type} session`}
                      onClick={() => setOpen({ what: 'session', id: session.id })}
                    >
                      Edit
                    </Button>
                  </li>
                ))}
              </ul>
            </section>
            <LastAct refresh={refresh} />
          </>
        }
      >
        <Facts
          title="Onboarding"
          facts={[
            { name: 'Status', value: <StatusTone status={status} /> },
            { name: 'Progress', value: <Progress row={onboarding} /> },
            {
              name: 'Stage',
              value: `${onboarding.stage_name}, day ${day} (usually ${onboarding.usual_days})`,
            },
            {
              name: 'On hold',
              value:
                onboarding.hold_reason &&
                `${onboarding.hold_reason}${onboarding.resume_on ? `, until ${dayText(onboarding.resume_on)}` : ''}`,
            },
            {
              name: onboardingFields.next_expected_date.label,
              always: true,
              value: onboarding.next_expected_date && dayText(onboarding.next_expected_date),
              edit: edit('next_expected_date', onboarding.next_expected_date ?? '', 'day'),
            },
            {
              name: onboardingFields.assign_to.label,
              value: onboarding.assigned_name,
              edit: edit('assign_to', String(onboarding.assign_to ?? ''), 'choice', [
                ['', 'Unassigned'],
                ...staff.map((one) => [String(one.id), one.name] as const),
              ]),
            },
            {
              name: 'Organization',
              value: maySeeOrganization ? (
                <PageLink to={pageOf('organization', org_id, organization)}>{organization}</PageLink>
              ) : (
                organization
              ),
            },
            {
              name: 'Lead',
              value: maySeeLead ? (
                <PageLink to={pageOf('lead', onboarding.lead_id, onboarding.company)}>
                  {onboarding.company}
                </PageLink>
              ) : (
                onboarding.company
              ),
            },
            {
              name: 'Contact',
              value: [onboarding.contact, onboarding.contact_email].filter(Boolean).join(', '),
            },
            { name: 'Time zone', value: onboarding.timezone },
          ]}
        />
      </RecordLayout>
      <Suspense>
        {open?.what === 'step' && (
          <StepForm
            onboarding={onboarding}
            stage={open.stage}
            step={open.step}
            refresh={refresh}
            onClose={close}
          />
        )}
        {open?.what === 'session' && (
          <SessionForm
            onboarding={onboarding}
            session={sessions.find((one) => one.id === open.id)}
            refresh={refresh}
            onClose={close}
          />
        )}
        {open?.what === 'hold' && <HoldForm onboarding={onboarding} refresh={refresh} onClose={close} />}
        {open?.what === 'link' && <LinkForm onboarding={onboarding} refresh={refresh} onClose={close} />}
      </Suspense>
    </>
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

function MailLine({
  id,
  subject,
  progress,
}: {
  id: number
  subject: string
  progress: { sent: number; total: number }
}) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <p>
        {subject} · {progress.sent} of {progress.total} sent
      </p>
      <Button size="compact-xs" variant="subtle" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Show less' : 'Show recipients'}
      </Button>
      {open && <LiveMailProgress id={id} />}
    </>
  )
}
