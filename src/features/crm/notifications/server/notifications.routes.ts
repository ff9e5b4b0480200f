import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { unknownPlaceholder } from '#shared/placeholders.ts'
import { whyLeftOut, type WhyLeftOut } from '#shared/recipients.ts'
import { notifications } from '#features/crm/notifications/contract.ts'
import {
  chooseFor,
  demandAllShown,
  notificationReads,
  getNotification,
  mayUpdate,
  notificationKind,
  seesRecipient,
} from '#features/crm/notifications/server/notifications.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, invalid, notAllowed } from '#server/http/errors.ts'
import { findMailRules } from '#server/mail/rules.ts'
import { personalHtmlValues, shownTo } from '#server/mail/personal-mail.ts'
import { cleanHtml, textOf } from '#server/html/html-clean.ts'
import type { App, WriteContext, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { usedIn } from '#server/record/option-lists.ts'
import type { Mail } from '#server/mail/mail.ts'
import type { ReceivedFile } from '#server/files/inspect-file.ts'
import { chooseFiles, readable, storeFiles } from '#server/files/record-files.ts'
import { linksFor } from '#server/files/signed-links.ts'
import { changeRecord, createRecord, lockRecord, trashRecords } from '#server/record/record.ts'
import { touchRecords } from '#server/record/touch.ts'

type Writing = Omit<WriteContext<typeof notifications.sendAll>, 'files'>

const showNotification: Handler<typeof notifications.show> = async ({ params }, context) => {
  const data = await getNotification(context.db, params.id, context.viewer, linksFor(context))
  return { data, may_update: data.hidden_emails === 0 && (await mayUpdate(context.db, context.viewer)) }
}

const countRecipients: Handler<typeof notifications.recipients> = async ({ body }, { db, viewer }) => {
  const { to, leftOut } = await chooseFor(db, body.emails, viewer)
  const counts = new Map<WhyLeftOut, number>()
  for (const { why } of leftOut) counts.set(why, (counts.get(why) ?? 0) + 1)
  return {
    total: to.length,
    left_out: [...counts].map(([why, count]) => ({ why: whyLeftOut[why], count })),
  }
}

const writeNotification = async (
  { mail }: App,
  db: Db,
  viewer: Pick<Viewer, 'id'>,
  subject: string,
  message: string,
) => ({
  ...(await mail.write(db, 'notification', personalHtmlValues(subject, message), { staff_id: viewer.id })),
  staff_id: viewer.id,
  unsubscribable: true,
})

/** @throws HttpError 422 at the field with a placeholder that doesn't exist. */
function demandKnownPlaceholders(subject: string, message: string): void {
  for (const [field, text] of Object.entries({ subject, message })) {
    const why = unknownPlaceholder(text)
    if (why !== undefined) throw invalid(field, why)
  }
}

const previewEmail: Handler<typeof notifications.preview> = async (
  { body: { subject, message } },
  { app, db, viewer },
) => {
  const clean = cleanHtml(message, 'message')
  demandKnownPlaceholders(subject, textOf(clean))
  const written = await writeNotification(app, db, viewer, subject, clean)
  return { data: shownTo(await app.mail.preview(db, written), viewer.name.split(' ')[0]!) }
}

/** Returns the image above the text; an empty list if it is removed, undefined if it is kept. */
async function chooseImage(
  app: App,
  context: Writing,
  files: readonly ReceivedFile[] = [],
  sent: readonly number[] | undefined,
  id?: number,
): Promise<number[] | undefined> {
  const file_ids = await chooseFiles(
    app.files,
    context,
    notificationKind,
    'file_ids',
    { files, file_ids: files.length ? [] : sent },
    id,
  )
  const kinds = file_ids?.length
    ? await context.db.selectFrom('files').select('kind').where('id', 'in', file_ids).execute()
    : []
  if (kinds.some(({ kind }) => kind !== 'image')) throw invalid('notification_image', 'Choose an image file.')
  return file_ids
}

/**
 * Returns the image for a test email: the one from the form, or else the draft's. The image is not attached
 * to any record.
 */
async function imageOfTest(
  app: App,
  context: Writing,
  draft: number | undefined,
  files: readonly ReceivedFile[] = [],
  file_ids: readonly number[] | undefined,
) {
  const { db, viewer } = context
  if (!files.length && file_ids === undefined) return draft === undefined ? [] : imagesOf(db, draft)
  const ids = files.length
    ? (await storeFiles(app.files, context, files)).map(({ id }) => id)
    : [...(file_ids ?? [])]
  if (!ids.length) return []
  const there = await readable(app.files, db, ids, viewer)
  if (ids.some((id) => !there.has(id)))
    throw invalid('file_ids.0', 'This file is no longer available. Choose it again.')
  return db
    .selectFrom('files')
    .select(['name', 'mime', 'stored_name as stored'])
    .where('id', 'in', ids)
    .where('kind', '=', 'image')
    .execute()
}

const saveOrSend: Handler<typeof notifications.sendAll> = async ({ body }, context) => {
  const { app, db, viewer, audit, changed, files } = context
  const { subject, id: draft, file_ids, emails } = body
  const message = cleanHtml(body.message, 'message')
  const text = textOf(message)
  if (body.draft !== 1) demandKnownPlaceholders(subject, text)
  const written = await writeNotification(app, db, viewer, subject, message)
  const mailWith = (attachments: Mail['attachments']) => ({ kind: 'notification', ...written, attachments })
  if (body.test === 1) {
    if (text === '') throw invalid('message', 'This field is required.')
    const mail_id = await app.mail.sendTest(db, viewer, {
      ...mailWith(await imageOfTest(app, context, draft, files.notification_image, file_ids)),
      to: [{ address: 'you@example.com', name: '' }],
    })
    changed('mails', [mail_id])
    return { message: 'Sending a test email to you.', data: null }
  }
  const image = await chooseImage(app, context, files.notification_image, file_ids, draft)
  const values = { subject, message, type: body.type, emails, file_ids: image }
  const links = linksFor(context)
  let id = draft
  if (id === undefined) id = await createRecord(context, notificationKind, values, { created_by: viewer.id })
  else {
    const held = await lockRecord(db, notificationKind, id, viewer)
    if (held['status'] !== 0)
      throw conflict('This notification was already sent.', await getNotification(db, id, viewer, links))
    await demandAllShown(db, id, viewer)
    await changeRecord(context, notificationKind, id, values)
  }
  if (body.draft === 1) return { message: 'Draft saved.', data: await getNotification(db, id, viewer, links) }
  if (text === '') throw invalid('message', 'This field is required.')
  const { to } = await chooseFor(db, emails, viewer)
  if (!to.length) throw invalid('emails', 'No one would receive this notification. Choose other recipients.')
  if (body.expected !== undefined && body.expected !== to.length)
    throw conflict(`The number of recipients is now ${to.length}. Review and send again.`, {
      total: to.length,
    })
  const mail_id = await app.mail.queue(db, {
    ...mailWith(await imagesOf(db, id)),
    to,
    record: { type: 'notification', id },
    sendAfterSeconds: (await findMailRules(db)).undo_mailing_seconds,
  })
  const sent = { status: 1, mail_id, sent_to: to.length, sent_at: sql`now()`, sent_by: viewer.id }
  await touchRecords({ db }, notificationKind, id, sent, { keepsVersion: true })
  audit({ target: 'notification', id, after: { sent_to: to.length } })
  changed('notification', [id])
  changed('mails', [mail_id])
  return {
    message:
      to.length === 1
        ? 'Sending the notification to 1 user.'
        : `Sending the notification to ${to.length} users.`,
    data: await getNotification(db, id, viewer, links),
  }
}

const update: Handler<typeof notifications.update> = async (
  { params: { id }, body: { version, base, message: unclean, file_ids, ...values } },
  context,
) => {
  const { app, db, viewer, files } = context
  const links = linksFor(context)
  const held = await lockRecord(db, notificationKind, id, viewer)
  if (!(await mayUpdate(db, viewer))) throw notAllowed('Only admins and moderators can edit notifications.')
  if (held['status'] !== 0)
    throw conflict('You can’t edit a sent notification.', await getNotification(db, id, viewer, links))
  await demandAllShown(db, id, viewer)
  const message = unclean && cleanHtml(unclean, 'message')
  const current = () => getNotification(db, id, viewer, links)
  const { operation } = await changeRecord(
    context,
    notificationKind,
    id,
    {
      ...values,
      message,
      file_ids: await chooseImage(app, context, files.notification_image, file_ids, id),
    },
    { stated: { version, base }, current },
  )
  return { message: 'Notification saved.', data: await current(), operation }
}

const removeNotification: Handler<typeof notifications.remove> = async ({ params }, context) => {
  const operation = await trashRecords(context, notificationKind, [params.id])
  return { message: `${operation.summary}.`, operation }
}

export function notificationRoutes(app: App): void {
  app.mail.registerFacts(['notification'], async (db, id) => {
    const { subject, message } = await db
      .selectFrom('notifications')
      .select(['subject', 'message'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return personalHtmlValues(subject, message)
  })
  app.mail.access.seesRecipient = seesRecipient
  app.records.register(notificationKind)
  app.optionLists.register('notification_types', {
    table: 'notification_types',
    key: 'id',
    toned: true,
    fixed: { '1': 'New notifications start with this type.' },
    used: usedIn('notifications', 'type'),
    usedBy: ['notification uses', 'notifications use'],
  })
  implement(app, notifications.list, ({ query }, { db, viewer }) => notificationReads.page(db, query, viewer))
  implement(app, notifications.show, showNotification)
  implement(app, notifications.recipients, countRecipients)
  implement(app, notifications.preview, previewEmail)
  implement(app, notifications.sendAll, saveOrSend)
  implement(app, notifications.update, update)
  implement(app, notifications.remove, removeNotification)
}

const imagesOf = (db: Db, id: number) =>
  db
    .selectFrom('file_links')
    .innerJoin('files', 'files.id', 'file_id')
    .select(['file_id', 'files.name', 'files.mime', 'files.stored_name as stored'])
    .where('record_type', '=', 'notification')
    .where('record_id', '=', id)
    .where('role', '=', 'image')
    .where('file_links.deleted_at', 'is', null)
    .execute()
