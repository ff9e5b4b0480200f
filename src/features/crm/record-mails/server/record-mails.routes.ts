import { sql } from 'kysely'
import {
  findPeople,
  sendRecordMail,
  writeMail,
} from '#features/crm/record-mails/server/record-mails.queries.ts'
import { recordMails } from '#shared/record-mail.contract.ts'
import type { MailedType } from '#shared/records.ts'
import { truncate } from '#shared/truncate.ts'
import type { Db } from '#server/db/db.ts'
import { cleanHtml } from '#server/html/html-clean.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { notFound } from '#server/http/errors.ts'
import { fillTemplate, senderValues } from '#server/mail/templates.ts'
import { findMailRules } from '#server/mail/rules.ts'
import { emailOfStaff } from '#server/mail/personal-mail.ts'
import { getRecord } from '#server/record/record.ts'
import { findOnlyProduct } from '#server/record/rows.ts'

const listPeople =
  (app: App): Handler<typeof recordMails.people> =>
  async ({ params: { type, id } }, { db, viewer }) => {
    const kind = app.records.get(type)
    await getRecord(db, kind, id, viewer)
    const about = { product_id: await findOnlyProduct(db, kind, id), staff_id: viewer.id }
    const { html: signature } = await app.mail.signature(db, about)
    const { undo_seconds } = await findMailRules(db)
    return { data: await findPeople(app, db, type, id), is_on: app.mail.isOn, signature, undo_seconds }
  }

/** SQL condition for the composer’s templates that fit a record. */
const findFitting = async (app: App, db: Db, { type, id }: { type: MailedType; id: number }) => {
  const product_id = await findOnlyProduct(db, app.records.get(type), id)
  const query = db
    .selectFrom('mail_templates as t')
    .innerJoin('mail_template_versions as v', (join) =>
      join.onRef('v.template_id', '=', 't.id').onRef('v.version', '=', 't.version'),
    )
    .where('t.kind', '=', 'composer')
    .where('t.removed_at', 'is', null)
    .where(sql<boolean>`(t.product_id is null or t.product_id = ${product_id ?? null})`)
  return { product_id, query }
}

const listTemplates =
  (app: App): Handler<typeof recordMails.templates> =>
  async ({ params }, { db, viewer }) => {
    await getRecord(db, app.records.get(params.type), params.id, viewer)
    const { query } = await findFitting(app, db, params)
    return { data: await query.select(['t.id', 't.name']).orderBy('t.name').orderBy('t.id').execute() }
  }

const fillForRecord =
  (app: App): Handler<typeof recordMails.template> =>
  async ({ params, query: { name } }, { db, viewer }) => {
    await getRecord(db, app.records.get(params.type), params.id, viewer)
    const { query, product_id } = await findFitting(app, db, params)
    const template = await query
      .select(['v.subject', 'v.content'])
      .where('t.id', '=', params.template_id)
      .executeTakeFirst()
    if (!template) throw notFound('Template not found.')
    const about = { product_id, staff_id: viewer.id }
    const values = { ...(await senderValues(db, app.settings, about)), name: name || 'there' }
    const { subject, html } = fillTemplate(template, values)
    return { data: { subject: truncate(subject, 200), content: html } }
  }

const previewMail =
  (app: App): Handler<typeof recordMails.preview> =>
  async ({ params: { type, id }, body }, { db, viewer }) => {
    await getRecord(db, app.records.get(type), id, viewer)
    const words = { subject: body.subject, content: cleanHtml(body.content, 'content') }
    const mail = await writeMail(app, db, { type, id, staff_id: viewer.id }, words)
    const { from, subject, html } = await app.mail.preview(db, mail)
    // Each recipient's has a token.
    const reply_to = app.settings.inboundAddress ?? (await emailOfStaff(db, viewer.id))
    return { data: { from, reply_to, subject, html } }
  }

const sendMail =
  (app: App): Handler<typeof recordMails.send> =>
  ({ params: { type, id }, body }, context) =>
    sendRecordMail(app, context, { type, id, kind: `${type.replace('_', '-')}-email` }, body)

export function recordMailRoutes(app: App): void {
  app.files.registerReadCheck('mail', async (db, id, viewer) => {
    const mail = await db
      .selectFrom('mails')
      .select(['record_type', 'record_id'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!mail || mail.record_type === null || mail.record_id === null) return false
    return app.mail.access.isReadable(db, { type: mail.record_type, id: mail.record_id }, viewer)
  })
  implement(app, recordMails.people, listPeople(app))
  implement(app, recordMails.templates, listTemplates(app))
  implement(app, recordMails.template, fillForRecord(app))
  implement(app, recordMails.preview, previewMail(app))
  implement(app, recordMails.send, sendMail(app))
}
