import { sql } from 'kysely'
import { findCredentialsUrl } from '#features/admin/settings/server/panel-settings.queries.ts'
import { addDays, plainDate } from '#shared/dates.ts'
import { instantsOf } from '#shared/zones.ts'
import { demoStatusOfLead, scheduleDaysAtMost } from '#features/crm/leads/demos/rules.ts'
import {
  findDemos,
  findSessionTypes,
  getDemo,
  insertDemo,
  sessionsOf,
  updateDemo,
} from '#features/crm/leads/demos/server/demos.queries.ts'
import { changeLead, leadKind, lockLead } from '#features/crm/leads/record/server/leads.queries.ts'
import {
  onboardings,
  type OnboardingStep,
  type PostOnboarding,
  type StepValues,
} from '#features/crm/onboarding/contract.ts'
import { maskedPasscode, onboardingStatuses, tabOfStatus } from '#features/crm/onboarding/rules.ts'
import { credentialsMail, writeLinkMail } from '#features/crm/onboarding/server/mail-texts.ts'
import {
  findSchedule,
  findStages,
  findSteps,
  getOnboarding,
  leadOfOnboarding,
  onboardingKind,
  stepsOf,
} from '#features/crm/onboarding/server/onboarding.queries.ts'
import { findBannedAddresses } from '#features/crm/organizations/server/organizations.queries.ts'
import type { Db } from '#server/db/db.ts'
import { emailOfStaff } from '#server/personal-mail.ts'
import { conflict, invalid, notFound } from '#server/http/errors.ts'
import { implement, type App, type WriteContext } from '#server/http/implement.ts'
import type { SignedIn } from '#server/http/session.ts'
import { asOperation } from '#server/record/as-operation.ts'
import { changeLocked, changeRecord, getRecord, lockRecord } from '#server/record/record.ts'
import type { Row } from '#server/record/rows.ts'

type Writing = Pick<WriteContext<typeof onboardings.post>, 'db' | 'viewer' | 'record' | 'changed'>

export function onboardingRoutes(app: App): void {
  app.records.register(onboardingKind)
  app.optionLists.register('onboarding_stages', {
    table: 'onboarding_stages',
    key: 'id',
    used: (key) => sql`select count(*) as count from onboardings o where o.stage = ${Number(key)}
      or exists (select from onboarding_steps s where s.onboarding_id = o.id and s.stage = ${Number(key)})`,
    usedBy: ['onboarding uses', 'onboardings use'],
  })

  implement(app, onboardings.show, async ({ query }, { db, viewer }) => ({
    data: await getOnboarding(db, query.id, viewer),
  }))
  implement(app, onboardings.stages, async ({ query }, { db }) => ({
    data: await findStages(db, query.product),
  }))

  implement(
    app,
    onboardings.update,
    async ({ params: { id }, body: { version, base, ...values } }, context) => {
      const current = () => getOnboarding(context.db, id, context.viewer)
      const { operation } = await changeRecord(context, onboardingKind, id, values, {
        stated: { version, base },
        current,
      })
      return { message: 'Onboarding saved.', data: await current(), operation }
    },
  )

  const postStage = async (
    { body }: { body: PostOnboarding },
    context: WriteContext<typeof onboardings.post>,
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
      await mailCredentials(context, onboarding.id)
    context.changed('onboarding', [onboarding.id])
    const data = await getOnboarding(db, onboarding.id, viewer)
    return {
      message: isDone && !wasDone ? `${after.stage_name} completed.` : `${after.stage_name} saved.`,
      data,
      onboarding_status: tabOfStatus(data.status),
    }
  }

  implement(app, onboardings.post, async ({ body }, context) => {
    const id = body.lead_onboaring_id ?? body.id!
    const work = () => postStage({ body }, context)
    const saved = { summary: 'Stage saved', parts: [stepsOf(id)] }
    const { result, operation } = await asOperation(context, onboardingKind, id, saved, work)
    return { ...result, operation }
  })

  implement(app, onboardings.addTrainingSession, async ({ body }, context) => {
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
  })

  implement(
    app,
    onboardings.updateStatus,
    async ({ body: { id, status, hold_reason, resume_on } }, context) => {
      const held = await lockRecord(context.db, onboardingKind, id, context.viewer)
      const current = () => getOnboarding(context.db, id, context.viewer)
      const name = onboardingStatuses[status]
      if (held['status'] === status && status !== 2)
        throw conflict(`This onboarding is already ${name.toLowerCase()}.`, await current())
      const { operation } = await changeRecord(
        context,
        onboardingKind,
        id,
        {
          status,
          hold_reason: status === 2 ? (hold_reason ?? '') : '',
          resume_on: status === 2 ? (resume_on ?? null) : null,
          completed_at: status === 3 ? app.clock.now().toISOString() : null,
        },
        { current, summary: `Status set to ${name}` },
      )
      return { message: `Onboarding is now ${name.toLowerCase()}.`, data: await current(), operation }
    },
  )

  implement(
    app,
    onboardings.postSession,
    async ({ body: { lead_onboaring_id, id, is_completed, ...values } }, context) => {
      const { db, viewer, record, changed } = context
      const { id: onboarding_id } = await getRecord(db, onboardingKind, lead_onboaring_id, viewer)
      // The lead is locked first, as when undoing a win.
      const lead = await lockLead(db, await leadOfOnboarding(db, onboarding_id), viewer)
      const held = await lockRecord(db, onboardingKind, onboarding_id, viewer)
      const saved = {
        summary: 'Session saved',
        parts: [sessionsOf(lead.lead_id)],
        also: { kind: leadKind, id: lead.lead_id },
      }
      const { operation } = await asOperation(context, onboardingKind, held.id, saved, async () => {
        const types = await findSessionTypes(db)
        const before =
          id === undefined
            ? undefined
            : (await getOnboarding(db, held.id, viewer)).sessions.find((one) => one.id === id)
        if (id !== undefined && !before) throw notFound('Session not found.')
        const type = values.type ?? before?.type ?? types[0]
        if (type === undefined || (type !== before?.type && !types.includes(type)))
          throw invalid('type', `The type “${type ?? ''}” doesn’t exist.`)
        const final_date = values.final_date === undefined ? (before?.final_date ?? null) : values.final_date
        const done = is_completed ?? before?.is_completed ?? false
        const status = done ? 3 : final_date === null ? 1 : 2
        let session_id = id
        if (session_id === undefined) {
          session_id = await insertDemo(db, lead.lead_id, { ...values, type, status }, viewer.id)
          await db
            .updateTable('lead_demos')
            .set({ onboarding_id: held.id })
            .where('id', '=', session_id)
            .execute()
        } else await updateDemo(db, session_id, { ...values, type, status })
        const shown = ({
          type: its,
          requested_date,
          final_date: at,
          received_date,
          is_completed: is,
        }: Awaited<ReturnType<typeof getDemo>>) => ({
          session_type: its,
          session_requested: requested_date,
          session_final: at,
          received_date,
          session_completed: is,
        })
        record({
          target: 'onboarding',
          id: held.id,
          ...(before ? { before: shown(before) } : {}),
          after: shown(await getDemo(db, lead.lead_id, session_id)),
        })
        // The lead's demo status is derived from its demos.
        const demo_status = demoStatusOfLead(await findDemos(db, lead.lead_id))
        if (demo_status !== undefined && demo_status !== lead.demo_status) {
          await changeLead(context, lead.lead_id, { demo_status }, { within: null })
        }
        changed('leads', [lead.lead_id])
        changed('onboarding', [held.id])
      })
      return { message: 'Session saved.', data: await getOnboarding(db, held.id, viewer), operation }
    },
  )

  interface Link {
    lead_id: number
    lead_onboarding_id: number
    send_attachment_link: string
    send_meeting_link?: string | undefined
    contact_emails?: string[] | undefined
    lead_onboaring_stage_id?: number | undefined
  }
  const prepareLink = async (db: Db, viewer: SignedIn, { lead_id, lead_onboarding_id, ...sent }: Link) => {
    const onboarding = await getOnboarding(db, lead_onboarding_id, viewer)
    if (lead_id !== onboarding.lead_id && lead_id !== (await leadOfOnboarding(db, onboarding.id)))
      throw notFound('Onboarding not found.')
    const step = chooseStep(onboarding.steps, onboarding.stage, sent.lead_onboaring_stage_id)
    const link = sent.send_meeting_link || step?.send_meeting_link || ''
    if (link === '') throw invalid('send_meeting_link', 'Enter a meeting link.')
    const to = [
      ...new Set(
        (sent.contact_emails?.length ? sent.contact_emails : recipientsOf(onboarding, step)).map((one) =>
          one.toLowerCase(),
        ),
      ),
    ]
    if (!to.length) throw invalid('contact_emails', 'This email has no recipients.')
    const [banned] = await findBannedAddresses(db, to)
    if (banned !== undefined)
      throw invalid('contact_emails', `${banned} is banned and can’t receive email. Remove this address.`)
    const words = writeLinkMail({
      product: (
        await db
          .selectFrom('products')
          .select('name')
          .where('id', '=', onboarding.lead_for)
          .executeTakeFirstOrThrow()
      ).name,
      organization: onboarding.organization,
      stage: step?.stage_name ?? onboarding.stage_name,
      sender: viewer.name,
      link,
      attachment: sent.send_attachment_link,
      at: step?.schedule_for ?? null,
      timezone: onboarding.timezone,
      passcode: step?.passcode ?? '',
    })
    return { onboarding, link, to, ...words }
  }

  implement(app, onboardings.previewMeetingLink, async ({ body }, { db, viewer }) => {
    const { to, subject, html, text } = await prepareLink(db, viewer, body)
    return { data: { to, subject, html, text } }
  })

  implement(app, onboardings.sendMeetingLink, async ({ body }, { db, viewer, record, changed }) => {
    await lockRecord(db, onboardingKind, body.lead_onboarding_id, viewer)
    const { onboarding, to, subject, html, text } = await prepareLink(db, viewer, body)
    const mail_id = await app.mail.queue(db, {
      kind: 'meeting-link',
      to,
      subject,
      html,
      text,
      reply_to: await emailOfStaff(db, viewer.id),
      record: { type: 'onboarding', id: onboarding.id },
      product_id: onboarding.lead_for,
      staff_id: viewer.id,
    })
    record({ target: 'onboarding', id: onboarding.id, after: { mail: subject, mail_to: to.join(', ') } })
    changed('mails', [mail_id])
    changed('onboarding', [onboarding.id])
    return {
      message:
        to.length === 1
          ? 'Sending the meeting link to 1 recipient.'
          : `Sending the meeting link to ${to.length} recipients.`,
      mail_id,
    }
  })

  implement(app, onboardings.schedule, ({ query: { from, to, lead_for, timezone } }, { db, viewer }) => {
    if (to < from) throw invalid('to', 'The end date must be on or after the start date.')
    if (to > addDays(from, scheduleDaysAtMost - 1))
      throw invalid('to', `Choose a period of up to ${scheduleDaysAtMost} days.`)
    return findSchedule(db, instantsOf(from, to, timezone), lead_for, viewer)
  })

  /** Emails the customer's users a link for setting their credentials; no email contains a password. */
  async function mailCredentials({ db, viewer, record, changed }: Writing, id: number): Promise<void> {
    const onboarding = await getOnboarding(db, id, viewer)
    if (!onboarding.addresses.length)
      throw invalid(
        'send_email_for_set_crendentials',
        'None of the organization’s users has an email address.',
      )
    const mail_id = await app.mail.queue(db, {
      kind: 'set-credentials',
      to: onboarding.addresses,
      ...credentialsMail(
        onboarding.organization,
        viewer.name,
        await findCredentialsUrl(db, onboarding.lead_for),
      ),
      reply_to: await emailOfStaff(db, viewer.id),
      record: { type: 'onboarding', id },
      product_id: onboarding.lead_for,
      staff_id: viewer.id,
    })
    record({
      target: 'onboarding',
      id,
      after: { mail: 'Credentials setup', mail_to: onboarding.addresses.join(', ') },
    })
    changed('mails', [mail_id])
  }
}

const chooseStep = (
  steps: readonly OnboardingStep[],
  stage: number,
  wanted: number | undefined,
): OnboardingStep | undefined => {
  if (wanted !== undefined) {
    const step = steps.find(({ id }) => id === wanted)
    if (!step) throw notFound('Stage not found.')
    return step
  }
  return (
    steps.find((one) => one.stage === stage && !one.completed_status) ??
    steps.findLast(({ send_meeting_link }) => send_meeting_link !== '')
  )
}

const recipientsOf = (
  onboarding: { addresses: string[]; contact_email: string },
  step: OnboardingStep | undefined,
): string[] =>
  step?.contact_emails.length
    ? step.contact_emails
    : onboarding.addresses.length
      ? onboarding.addresses.slice(0, 1)
      : onboarding.contact_email
        ? [onboarding.contact_email]
        : []

/** Saves a step and records the differences in the history, but never a passcode. */
async function saveStep(
  { db, viewer, record }: Writing,
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
  record({
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
  { db, viewer, record }: Writing,
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
  record({ target: 'onboarding', id: onboarding_id, after: { training: step.id } })
}
