import { meetingLinks } from '#features/crm/onboarding/links.contract.ts'
import type { OnboardingStep } from '#features/crm/onboarding/contract.ts'
import { stepOfLink } from '#features/crm/onboarding/rules.ts'
import { credentialsHowTo, meetingDetails } from '#features/crm/onboarding/server/mail-texts.ts'
import {
  getOnboarding,
  leadOfOnboarding,
  onboardingKind,
} from '#features/crm/onboarding/server/onboarding.queries.ts'
import { demandNotBanned } from '#features/crm/organizations/server/organizations.queries.ts'
import { findCredentialsUrl } from '#features/admin/settings/server/panel-settings.queries.ts'
import type { Db } from '#server/db/db.ts'
import { emailOfStaff } from '#server/mail/personal-mail.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import type { SignedIn } from '#server/http/session.ts'
import { lockRecord } from '#server/record/record.ts'

interface Link {
  lead_id: number
  lead_onboarding_id: number
  send_attachment_link: string
  send_meeting_link?: string | undefined
  contact_emails?: string[] | undefined
  lead_onboaring_stage_id?: number | undefined
}

const prepareLink = async (
  app: App,
  db: Db,
  viewer: SignedIn,
  { lead_id, lead_onboarding_id, ...sent }: Link,
) => {
  const onboarding = await getOnboarding(db, lead_onboarding_id, viewer)
  if (lead_id !== onboarding.lead_id && lead_id !== (await leadOfOnboarding(db, onboarding.id)))
    throw notFound('Onboarding not found.')
  const step = chooseStep(onboarding.steps, onboarding.stage, sent.lead_onboaring_stage_id)
  const link = sent.send_meeting_link ?? step?.send_meeting_link ?? ''
  if (link === '') throw invalid('send_meeting_link', 'Enter a meeting link.')
  const to = [
    ...new Set((sent.contact_emails ?? recipientsOf(onboarding, step)).map((one) => one.toLowerCase())),
  ]
  if (!to.length) throw invalid('contact_emails', 'This email has no recipients.')
  await demandNotBanned(db, { contact_emails: to })
  const about = { product_id: onboarding.lead_for, staff_id: viewer.id }
  const words = await app.mail.write(
    db,
    'meeting-link',
    {
      organization: onboarding.organization,
      stage: step?.stage_name ?? onboarding.stage_name,
      details: meetingDetails({
        link,
        attachment: sent.send_attachment_link,
        at: step?.schedule_for ?? null,
        timezone: onboarding.timezone,
        passcode: step?.passcode ?? '',
      }),
    },
    about,
  )
  return { onboarding, to, mail: { ...words, ...about } }
}

const previewMeetingLink =
  (app: App): Handler<typeof meetingLinks.previewMeetingLink> =>
  async ({ body }, { db, viewer }) => {
    const { to, mail } = await prepareLink(app, db, viewer, body)
    const { subject, html, text } = await app.mail.preview(db, mail)
    return { data: { to, subject, html, text } }
  }

const sendMeetingLink =
  (app: App): Handler<typeof meetingLinks.sendMeetingLink> =>
  async ({ body }, { db, viewer, audit, changed }) => {
    await lockRecord(db, onboardingKind, body.lead_onboarding_id, viewer)
    const { onboarding, to, mail } = await prepareLink(app, db, viewer, body)
    const mail_id = await app.mail.queue(db, {
      kind: 'meeting-link',
      to,
      ...mail,
      reply_to: await emailOfStaff(db, viewer.id),
      record: { type: 'onboarding', id: onboarding.id },
    })
    audit({ target: 'onboarding', id: onboarding.id, after: { mail: mail.subject, mail_to: to.join(', ') } })
    changed('mails', [mail_id])
    changed('onboarding', [onboarding.id])
    return {
      message:
        to.length === 1
          ? 'Sending the meeting link to 1 recipient.'
          : `Sending the meeting link to ${to.length} recipients.`,
      mail_id,
    }
  }

export function linkRoutes(app: App): void {
  app.mail.registerFacts(['meeting-link', 'set-credentials'], async (db, id, viewer) => {
    const onboarding = await getOnboarding(db, id, viewer)
    const step = chooseStep(onboarding.steps, onboarding.stage, undefined)
    return {
      organization: onboarding.organization,
      stage: step?.stage_name ?? onboarding.stage_name,
      details: meetingDetails({
        link: step?.send_meeting_link || 'https://meet.example/session',
        attachment: '',
        at: step?.schedule_for ?? null,
        timezone: onboarding.timezone,
        passcode: step?.passcode ?? '',
      }),
      how_to: credentialsHowTo(await findCredentialsUrl(db, onboarding.lead_for)),
    }
  })
  implement(app, meetingLinks.previewMeetingLink, previewMeetingLink(app))
  implement(app, meetingLinks.sendMeetingLink, sendMeetingLink(app))
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
  return stepOfLink(steps, stage)
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
