import { findCredentialsUrl } from '#features/admin/settings/server/panel-settings.queries.ts'
import { addDays, plainDate } from '#shared/dates.ts'
import { type OnboardingStep } from '#features/crm/onboarding/contract.ts'
import {
  onboardingSteps,
  type PostOnboarding,
  type StepValues,
} from '#features/crm/onboarding/steps.contract.ts'
import { maskedPasscode, tabOfStatus } from '#features/crm/onboarding/rules.ts'
import { credentialsHowTo } from '#features/crm/onboarding/server/mail-texts.ts'
import {
  findSteps,
  getOnboarding,
  onboardingKind,
  stepsOf,
} from '#features/crm/onboarding/server/onboarding.queries.ts'
import { emailOfStaff } from '#server/mail/personal-mail.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { App, WriteContext, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { asOperation } from '#server/record/as-operation.ts'
import { changeLocked, lockRecord } from '#server/record/record.ts'
import type { Row } from '#server/record/rows.ts'

type Writing = Pick<WriteContext<typeof onboardingSteps.post>, 'db' | 'viewer' | 'audit' | 'changed'>

const saveStage = async (
  app: App,
  { body }: { body: PostOnboarding },
  context: WriteContext<typeof onboardingSteps.post>,
) => {
  const { db, viewer } = context
  const { id: own, lead_onboaring_id, lead_onboaring_stage_id, stage, org_id, ...values } = body
  const held = await lockRecord(db, onboardingKind, lead_onboaring_id ?? own!, viewer)
  const onboarding = await getOnboarding(db, held.id, viewer)
  if (org_id !== undefined && org_id !== onboarding.org_id) throw notFound('Onboarding not found.')
  const step =
    lead_onboaring_stage_id === undefined
      ? onboarding.steps.find((one) => one.stage === stage && !one.is_training)
      : onboarding.steps.find((one) => one.id === lead_onboaring_stage_id)
  if (lead_onboaring_stage_id !== undefined && !step) throw notFound('Stage not found.')
  const of = step?.stage ?? stage!
  const index = onboarding.all_stages.findIndex(({ id }) => id === of)
  if (index === -1) throw invalid('stage', 'This product doesn’t have this stage. Choose another one.')
  const currentIndex = onboarding.all_stages.findIndex(({ id }) => id === onboarding.stage)

  const after = await saveStep(context, onboarding.id, of, step, values, app.clock.now())
  const isDone = after.completed_status
  const wasDone = step?.completed_status ?? false
  const today = plainDate(app.clock.now())
  const patch: Row = {
    ...(values.assign_to === undefined ? {} : { assign_to: values.assign_to }),
    ...(values.onboarding_by === undefined ? {} : { onboarding_by: values.onboarding_by }),
    ...(values.next_expected_date === undefined ? {} : { next_expected_date: values.next_expected_date }),
  }
  if (!after.is_training && isDone && !wasDone) {
    const done = new Set(
      onboarding.steps.filter((one) => one.completed_status && !one.is_training).map((one) => one.stage),
    ).add(of)
    const next = done.has(onboarding.stage)
      ? onboarding.all_stages.slice(currentIndex + 1).find(({ id }) => !done.has(id))
      : undefined
    if (next)
      Object.assign(patch, {
        stage: next.id,
        stage_since: today,
        next_expected_date: values.next_expected_date ?? addDays(today, next.usual_days),
      })
    else if (done.has(onboarding.stage))
      Object.assign(patch, {
        status: 3,
        completed_at: app.clock.now().toISOString(),
        next_expected_date: null,
        hold_reason: '',
        resume_on: null,
      })
  }
  // Reopening a stage that was completed out of order doesn't change the current stage.
  if (!after.is_training && wasDone && !isDone && (onboarding.status === 3 || index <= currentIndex))
    Object.assign(patch, {
      stage: of,
      stage_since: today,
      status: 1,
      completed_at: null,
      hold_reason: '',
      resume_on: null,
    })
  await changeLocked(context, onboardingKind, held, patch, { within: null })
  const wantsMore =
    (values.add_more_session === true && !step?.add_more_session) ||
    (values.add_more === true && !step?.add_more)
  if (wantsMore) await addTraining(context, onboarding.id, of, false)
  if (values.send_email_for_set_crendentials === true && !step?.send_email_for_set_crendentials)
    await mailCredentials(app, context, onboarding.id)
  context.changed('onboarding', [onboarding.id])
  const data = await getOnboarding(db, onboarding.id, viewer)
  return {
    message: isDone && !wasDone ? `${after.stage_name} completed.` : `${after.stage_name} saved.`,
    data,
    onboarding_status: tabOfStatus(data.status),
  }
}

const postStage =
  (app: App): Handler<typeof onboardingSteps.post> =>
  async ({ body }, context) => {
    const id = body.lead_onboaring_id ?? body.id!
    const work = () => saveStage(app, { body }, context)
    const saved = { summary: 'Stage saved', parts: [stepsOf(id)] }
    const { result, operation } = await asOperation(context, onboardingKind, id, saved, work)
    return { ...result, operation }
  }

const addTrainingSession: Handler<typeof onboardingSteps.addTrainingSession> = async ({ body }, context) => {
  const { db, viewer } = context
  const held = await lockRecord(db, onboardingKind, body.lead_onboaring_id, viewer)
  const { org_id, all_stages, steps } = await getOnboarding(db, held.id, viewer)
  if (body.org_id !== undefined && body.org_id !== org_id) throw notFound('Onboarding not found.')
  if (body.id !== undefined && body.id !== held.id && !steps.some(({ id }) => id === body.id))
    throw notFound('Stage not found.')
  if (!all_stages.some(({ id }) => id === body.stage))
    throw invalid('stage', 'This product doesn’t have this stage. Choose another one.')
  const requested = body.training_session_request_in_followup ?? false
  const { operation } = await asOperation(
    context,
    onboardingKind,
    held.id,
    { summary: 'Training session added', parts: [stepsOf(held.id)] },
    () => addTraining(context, held.id, body.stage, requested),
  )
  context.changed('onboarding', [held.id])
  return { message: 'Training session added.', data: await getOnboarding(db, held.id, viewer), operation }
}

/** Emails the customer's users a link for setting their credentials; no email contains a password. */
async function mailCredentials(app: App, { db, viewer, audit, changed }: Writing, id: number): Promise<void> {
  const onboarding = await getOnboarding(db, id, viewer)
  if (!onboarding.addresses.length)
    throw invalid('send_email_for_set_crendentials', 'None of the organization’s users has an email address.')
  const about = { product_id: onboarding.lead_for, staff_id: viewer.id }
  const values = {
    organization: onboarding.organization,
    how_to: credentialsHowTo(await findCredentialsUrl(db, onboarding.lead_for)),
  }
  const mail_id = await app.mail.queue(db, {
    kind: 'set-credentials',
    to: onboarding.addresses,
    ...(await app.mail.write(db, 'set-credentials', values, about)),
    ...about,
    reply_to: await emailOfStaff(db, viewer.id),
    record: { type: 'onboarding', id },
  })
  audit({
    target: 'onboarding',
    id,
    after: { mail: 'Credentials setup', mail_to: onboarding.addresses.join(', ') },
  })
  changed('mails', [mail_id])
}

export function stepRoutes(app: App): void {
  implement(app, onboardingSteps.post, postStage(app))
  implement(app, onboardingSteps.addTrainingSession, addTrainingSession)
}

/** Saves a step and records the differences in the history, but never a passcode. */
async function saveStep(
  { db, viewer, audit }: Writing,
  onboarding_id: number,
  stage: number,
  before: OnboardingStep | undefined,
  values: StepValues,
  now: Date,
): Promise<OnboardingStep> {
  const completed_status =
    values.completed_status ?? (values.completed_at ? true : before?.completed_status) ?? false
  const completed_at = completed_status
    ? (values.completed_at ?? before?.completed_at ?? now.toISOString())
    : null
  const given = Object.fromEntries(
    Object.entries({ ...values, completed_status, completed_at }).filter(([, value]) => value !== undefined),
  )
  const id =
    before?.id ??
    (
      await db
        .insertInto('onboarding_steps')
        .values({ onboarding_id, stage, created_by: viewer.id })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  await db
    .updateTable('onboarding_steps')
    .set({ ...given, updated_at: now.toISOString() })
    .where('id', '=', id)
    .execute()
  const after = (await findSteps(db, onboarding_id)).find((one) => one.id === id)!
  audit({
    target: 'onboarding',
    id: onboarding_id,
    ...(before ? { before: shownOf(before) } : {}),
    after: { ...shownOf(after), ...changedPasscode(before, after) },
  })
  return after
}

const shownOf = ({
  id: _,
  lead_onboaring_stage_id: _step,
  lead_onboaring_id: _of,
  stage: _stage,
  org_id: _org,
  is_training: _training,
  passcode,
  ...rest
}: OnboardingStep) => ({
  ...rest,
  passcode: passcode === '' ? '' : maskedPasscode,
})

const changedPasscode = (before: OnboardingStep | undefined, after: OnboardingStep) =>
  before !== undefined &&
  before.passcode !== '' &&
  after.passcode !== '' &&
  before.passcode !== after.passcode
    ? { passcode: `${maskedPasscode} (new)` }
    : {}

async function addTraining(
  { db, viewer, audit }: Writing,
  onboarding_id: number,
  stage: number,
  requested: boolean,
): Promise<void> {
  const step = await db
    .insertInto('onboarding_steps')
    .values({
      onboarding_id,
      stage,
      is_training: true,
      training_session_request_in_followup: requested,
      created_by: viewer.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  audit({ target: 'onboarding', id: onboarding_id, after: { training: step.id } })
}
