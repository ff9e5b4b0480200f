import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { chooseRecipients, type Candidate, type Chosen } from '#shared/recipients.ts'
import { customerUserKind } from '#features/crm/users/server/customer-user.queries.ts'
import { userEmails } from '#features/crm/users/emails.contract.ts'
import { findCandidates, findWhyNoMailing } from '#features/crm/users/server/users.queries.ts'
import { type Writing } from '#features/crm/users/server/users.routes.ts'
import type { Db } from '#server/db/db.ts'
import { HttpError, notFound } from '#server/http/errors.ts'
import { emailOfStaff, personalValues, shownTo } from '#server/mail/personal-mail.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { findMailRules } from '#server/mail/rules.ts'
import { findUnsubscribed } from '#server/mail/unsubscribe.ts'
import { touchRecords } from '#server/record/touch.ts'

export const leftOutShown = 200

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
  },
) => {
  const mail_id = await app.mail.queue(db, {
    to,
    ...(await writeUserMail(app, db, viewer, { subject, note, product_id: more.product_id })),
    ...more,
    reply_to: await emailOfStaff(db, viewer.id),
  })
  changed('mails', [mail_id])
  const message =
    to.length === 1 ? 'Sending the email to 1 user.' : `Sending the email to ${to.length} users.`
  return { message, mail_id, count: to.length, left_out: leftOut.slice(0, leftOutShown) }
}

export async function writeUserMail(
  app: App,
  db: Db,
  viewer: Pick<Viewer, 'id'>,
  { subject, note, product_id }: { subject: string; note: string; product_id?: number | undefined },
) {
  const about = { product_id, staff_id: viewer.id }
  const values = personalValues(subject, note, app.settings.publicUrl)
  return { ...(await app.mail.write(db, 'mailing', values, about)), ...about, unsubscribable: true }
}

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

const previewRecipients: Handler<typeof userEmails.emailRecipients> = async (
  { body: { user } },
  { db, viewer },
) => {
  const { to, leftOut } = (await findChosen(db, user, viewer)).chosen
  return { count: to.length, left_out: leftOut.slice(0, leftOutShown), left_out_total: leftOut.length }
}

const sendEmail =
  (app: App): Handler<typeof userEmails.sendEmail> =>
  async ({ body: { subject, note, user } }, context) => {
    const { db, viewer, audit } = context
    const { ids, candidates, chosen } = await findChosen(db, user, viewer)
    if (!chosen.to.length) throw noRecipientsError('user', chosen)
    const sent = await queueEmail(app, context, { subject, note }, chosen, {
      kind: 'user',
      sendAfterSeconds: (await findMailRules(db)).undo_mailing_seconds,
      ...(ids.length === 1 ? { record: { type: 'customer_user', id: ids[0]! } } : {}),
    })
    const reached = new Set(chosen.to.map(({ address }) => address))
    for (const { id, address } of candidates)
      if (reached.delete((address ?? '').trim().toLowerCase()))
        audit({ target: 'customer_user', id, after: { mail: subject } })
    return sent
  }

const previewEmail =
  (app: App): Handler<typeof userEmails.previewEmail> =>
  async ({ body }, { db, viewer }) => ({
    data: shownTo(
      await app.mail.preview(db, await writeUserMail(app, db, viewer, body)),
      viewer.name.split(' ')[0]!,
    ),
  })

export function userEmailRoutes(app: App): void {
  app.mail.registerFacts(['mailing'], async () =>
    Promise.resolve(personalValues('News', 'We have news for you.', app.settings.publicUrl)),
  )
  app.mail.delivery.whyNoMailing = findWhyNoMailing
  app.mail.unsubscribing.onUnsubscribe(async (db, address) => {
    const isSubscribed = sql`r.email = ${address} and r.is_subscribed = 1`
    const ids = await touchRecords({ db }, customerUserKind, isSubscribed, { is_subscribed: 0 })
    return ids.map((id) => ({
      target: 'customer_user' as const,
      id,
      before: { is_subscribed: 1 },
      after: { is_subscribed: 0 },
    }))
  })
  implement(app, userEmails.emailRecipients, previewRecipients)
  implement(app, userEmails.sendEmail, sendEmail(app))
  implement(app, userEmails.previewEmail, previewEmail(app))
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
