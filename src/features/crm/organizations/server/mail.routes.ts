import type { Viewer } from '#shared/endpoint.ts'
import { chooseRecipients } from '#shared/recipients.ts'
import { organizations } from '#features/crm/organizations/contract.ts'
import {
  findUsersToMail,
  organizationKind,
} from '#features/crm/organizations/server/organizations.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { personalMail } from '#server/personal-mail.ts'
import { implement, type App, type Handler } from '#server/http/implement.ts'
import { findUnsubscribed } from '#server/mail/unsubscribe.ts'
import { getRecord } from '#server/record/record.ts'

const leftOutShown = 200

const recipientsOf = async (db: Db, id: number, viewer: Viewer) => {
  await getRecord(db, organizationKind, id, viewer)
  const candidates = await findUsersToMail(db, id)
  const addresses = candidates.map(({ address }) => address)
  return chooseRecipients(candidates, await findUnsubscribed(db, addresses))
}

const previewRecipients: Handler<typeof organizations.mailRecipients> = async (
  { params: { id } },
  { db, viewer },
) => {
  const { to, leftOut } = await recipientsOf(db, id, viewer)
  return { count: to.length, left_out: leftOut.slice(0, leftOutShown), left_out_total: leftOut.length }
}

const sendEmail =
  (app: App): Handler<typeof organizations.mail> =>
  async ({ params: { id }, body }, { db, viewer, audit, changed }) => {
    const { to, leftOut } = await recipientsOf(db, id, viewer)
    if (!to.length) throw invalid('subject', 'None of this organization’s users can receive email.')
    const { email } = await db
      .selectFrom('staff')
      .select('email')
      .where('id', '=', viewer.id)
      .executeTakeFirstOrThrow()
    const mail_id = await app.mail.queue(db, {
      kind: 'organization',
      to,
      ...personalMail(body.subject, body.message, app.settings.publicUrl),
      reply_to: email,
      record: { type: 'organization', id },
      staff_id: viewer.id,
      unsubscribable: true,
    })
    audit({ target: 'organization', id, after: { mail: body.subject, mail_to: to.length } })
    changed('mails', [mail_id])
    changed('organization', [id])
    return {
      message: to.length === 1 ? 'Sending the email to 1 user.' : `Sending the email to ${to.length} users.`,
      left_out: leftOut.slice(0, leftOutShown),
    }
  }

export function organizationMailRoutes(app: App): void {
  implement(app, organizations.mailRecipients, previewRecipients)
  implement(app, organizations.mail, sendEmail(app))
}
