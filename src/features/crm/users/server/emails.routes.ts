import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { chooseRecipients, type Candidate, type Chosen } from '#shared/recipients.ts'
import { customerUserKind } from '#features/crm/users/server/customer-user.queries.ts'
import { users } from '#features/crm/users/contract.ts'
import { findCandidates } from '#features/crm/users/server/users.queries.ts'
import { type Writing } from '#features/crm/users/server/users.routes.ts'
import type { Db } from '#server/db/db.ts'
import { HttpError, notFound } from '#server/http/errors.ts'
import { emailOfStaff, personalMail, previewOf } from '#server/personal-mail.ts'
import { implement, type App, type Handler } from '#server/http/implement.ts'
import { findUnsubscribed } from '#server/mail/unsubscribe.ts'
import { touchRecords } from '#server/record/touch.ts'

export const leftOutShown = 200

export const secondsToCallOff = 60

export const queueEmail = async (
  app: App,
  { db, viewer, changed }: Pick<Writing, 'db' | 'viewer' | 'changed'>,
  { subject, note }: { subject: string; note: string },
  { to, leftOut }: Chosen,
  more: {
    kind: string
    record?: { type: string; id: number }
    product_id?: number
    sendAfterSeconds?: number
    unsubscribable?: boolean
  },
) => {
  const mail_id = await app.mail.queue(db, {
    to,
    ...renderUserMail(app, subject, note),
    ...more,
    reply_to: await emailOfStaff(db, viewer.id),
    staff_id: viewer.id,
  })
  changed('mails', [mail_id])
  const message =
    to.length === 1 ? 'Sending the email to 1 user.' : `Sending the email to ${to.length} users.`
  return { message, mail_id, count: to.length, left_out: leftOut.slice(0, leftOutShown) }
}

export const renderUserMail = (app: App, subject: string, note: string) =>
  personalMail(subject, note, app.settings.publicUrl)

export const chooseFrom = async (db: Db, candidates: readonly Candidate[]) =>
  chooseRecipients(
    candidates,
    await findUnsubscribed(
      db,
      candidates.map(({ address }) => address),
    ),
  )

const findChosen = async (db: Db, user: readonly number[], viewer: Viewer) => {
  const ids = [...new Set(user)]
  const candidates = await findCandidates(db, ids, viewer)
  if (candidates.length < ids.length)
    throw notFound(ids.length === 1 ? 'User not found.' : 'One or more of these users don’t exist.')
  return { ids, candidates, chosen: await chooseFrom(db, candidates) }
}

const previewRecipients: Handler<typeof users.emailRecipients> = async (
  { body: { user } },
  { db, viewer },
) => {
  const { to, leftOut } = (await findChosen(db, user, viewer)).chosen
  return { count: to.length, left_out: leftOut.slice(0, leftOutShown), left_out_total: leftOut.length }
}

const sendEmail =
  (app: App): Handler<typeof users.sendEmail> =>
  async ({ body: { subject, note, user } }, context) => {
    const { db, viewer, audit } = context
    const { ids, candidates, chosen } = await findChosen(db, user, viewer)
    if (!chosen.to.length) throw noRecipientsError('user', chosen)
    const sent = await queueEmail(app, context, { subject, note }, chosen, {
      kind: 'user',
      sendAfterSeconds: secondsToCallOff,
      unsubscribable: true,
      ...(ids.length === 1 ? { record: { type: 'customer_user', id: ids[0]! } } : {}),
    })
    const reached = new Set(chosen.to.map(({ address }) => address))
    for (const { id, address } of candidates)
      if (reached.delete((address ?? '').trim().toLowerCase()))
        audit({ target: 'customer_user', id, after: { mail: subject } })
    return sent
  }

const previewEmail =
  (app: App): Handler<typeof users.previewEmail> =>
  async ({ body: { subject, note } }, { viewer }) => ({
    data: previewOf(renderUserMail(app, subject, note), viewer.name.split(' ')[0]!),
  })

export function userEmailRoutes(app: App): void {
  app.mail.onUnsubscribe(async (db, address) => {
    const isSubscribed = sql`r.email = ${address} and r.is_subscribed = 1`
    const ids = await touchRecords({ db }, customerUserKind, isSubscribed, { is_subscribed: 0 })
    return ids.map((id) => ({
      target: 'customer_user' as const,
      id,
      before: { is_subscribed: 1 },
      after: { is_subscribed: 0 },
    }))
  })
  implement(app, users.emailRecipients, previewRecipients)
  implement(app, users.sendEmail, sendEmail(app))
  implement(app, users.previewEmail, previewEmail(app))
}

export const noRecipientsError = (field: string, { leftOut }: Chosen) =>
  new HttpError(
    422,
    leftOut.length ? 'None of the recipients can receive email.' : 'Your mailing list is empty.',
    {
      errors: {
        [field]: [
          leftOut.length ? 'None of the recipients can receive email.' : 'Your mailing list is empty.',
        ],
      },
    },
  )
