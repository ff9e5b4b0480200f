import { sql } from 'kysely'
import type { z } from 'zod'
import { findMailsOf } from '#features/admin/outbox/server/outbox.queries.ts'
import {
  demandNotBanned,
  findBannedAddresses,
} from '#features/crm/organizations/server/organizations.queries.ts'
import type { MailRow } from '#shared/mails.ts'
import {
  mostPeople,
  type NewRecordMail,
  type RecordPerson,
  type recordMails,
} from '#shared/record-mail.contract.ts'
import { isAddress } from '#shared/recipients.ts'
import type { MailedType } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { cleanHtml, forOutside, textOf } from '#server/html/html-clean.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, WriteContext } from '#server/app.ts'
import { findMailRules } from '#server/mail/rules.ts'
import { textPart } from '#server/mail/text-part.ts'
import { emailOfStaff } from '#server/mail/personal-mail.ts'
import type { ReceivedFile } from '#server/files/inspect-file.ts'
import { attachFiles } from '#server/files/record-files.ts'
import { findStored } from '#server/mail/attachments.ts'
import { getRecord } from '#server/record/record.ts'
import { findOnlyProduct, liveName } from '#server/record/rows.ts'

const longestDelaySeconds = 366 * 24 * 3600

/** Returns the people of a record who have an email address, each address once. */
export async function findPeople(app: App, db: Db, type: MailedType, id: number): Promise<RecordPerson[]> {
  const candidates = (await app.records.get(type).people?.(db, id)) ?? []
  const people = new Map<string, RecordPerson>()
  for (const { who, address, banned = false } of candidates) {
    const known = (address ?? '').trim().toLowerCase()
    if (isAddress(known) && !people.has(known))
      people.set(known, { name: who || known, address: known, banned })
  }
  const banned = await findBannedAddresses(db, [...people.keys()])
  return [...people.values()].map((one) => ({ ...one, banned: one.banned || banned.includes(one.address) }))
}

/** Returns an email of a record, with what its sender depends on. */
export async function writeMail(
  app: App,
  db: Db,
  { type, id, staff_id }: { type: MailedType; id: number; staff_id: number },
  { subject, content }: { subject: string; content: string },
) {
  const html = forOutside(content)
  return {
    subject,
    html,
    text: textPart(html),
    product_id: await findOnlyProduct(db, app.records.get(type), id),
    staff_id,
  }
}

/** @throws HttpError 422 if there are too many recipients, or if one of them is banned. */
async function checkRecipients(db: Db, to: readonly string[], cc: readonly string[]): Promise<void> {
  if (new Set([...to, ...cc]).size > mostPeople)
    throw invalid('to', `You can email up to ${mostPeople} people at a time.`)
  await demandNotBanned(db, { to, cc })
}

/**
 * Returns how long an email is held, by the clock of the database, which also decides when it is sent.
 * @throws HttpError 422 for a time in the past, or more than a year from now.
 */
async function delayUntil(db: Db, send_at: string | undefined): Promise<number> {
  const { undo_seconds } = await findMailRules(db)
  if (send_at === undefined) return undo_seconds
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from ${send_at}::timestamptz - now()))::float8 as seconds`.execute(db)
  const { seconds } = rows[0]!
  if (seconds <= 0) throw invalid('send_at', 'Choose a time in the future.')
  if (seconds > longestDelaySeconds) throw invalid('send_at', 'Choose a time within the next year.')
  return Math.max(seconds, undo_seconds)
}

const bare = (subject: string) =>
  subject
    .replace(/^(?:(?:re|aw|sv|fwd?|wg)\s*:\s*)+/i, '')
    .trim()
    .toLowerCase()

/**
 * Returns the headers that put an email into the conversation that it continues: that of the last email with
 * this subject that a recipient sent to the record.
 */
async function findConversation(db: Db, type: string, id: number, to: readonly string[], subject: string) {
  const last = await db
    .selectFrom('received_mails')
    .select(['message_id', 'subject', 'references'])
    .where('record_type', '=', type)
    .where('record_id', '=', id)
    .where('kind', '=', 'message')
    .where('from_address', '=', sql<string>`any(${[...to]}::citext[])`)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!last || bare(last.subject) !== bare(subject) || last.message_id.endsWith('@content>')) return {}
  const references = [...last.references.split(' ').filter(Boolean).slice(-20), last.message_id]
  return { in_reply_to: last.message_id, references }
}

type Sending = Pick<
  WriteContext<typeof recordMails.send>,
  'db' | 'viewer' | 'audit' | 'changed' | 'onRollback'
> & {
  files: { attachment?: ReceivedFile[] }
}

/**
 * Queues an email to people of a record, which the viewer can see, and returns it with a message.
 * @throws HttpError 422 per field; 404 for a record that the viewer can't see
 */
export async function sendRecordMail(
  app: App,
  context: Sending,
  { type, id, kind }: { type: MailedType; id: number; kind: string },
  email: z.output<typeof NewRecordMail>,
): Promise<{ message: string; data: MailRow }> {
  const { db, viewer, files, audit, changed } = context
  const { to, cc, subject, send_at } = email
  const record = app.records.get(type)
  await getRecord(db, record, id, viewer)
  const content = cleanHtml(email.content, 'content')
  if (textOf(content) === '') throw invalid('content', 'This field is required.')
  const sendAfterSeconds = await delayUntil(db, send_at)
  await checkRecipients(db, to, cc)
  const mail_id = await app.mail.queue(db, {
    kind,
    to,
    cc,
    ...(await writeMail(app, db, { type, id, staff_id: viewer.id }, { subject, content })),
    reply_to: await emailOfStaff(db, viewer.id),
    ...(await findConversation(db, type, id, to, subject)),
    record: { type, id },
    sendAfterSeconds,
  })
  const chosen = { files: files.attachment ?? [], file_ids: email.file_ids }
  const file_ids = await attachFiles(app.files, context, chosen, { type: 'mail', id: mail_id })
  await app.mail.attach(db, mail_id, await findStored(db, file_ids))
  audit({ target: type, id, after: { mail: subject, mail_to: [...to, ...cc].join(', ') } })
  changed('mails', [mail_id])
  changed(liveName(record), [id])
  const data = (await findMailsOf(db, type, sql`(${id})`)).find((one) => one.id === mail_id)!
  const words = send_at === undefined ? 'Sending the email.' : 'Email scheduled.'
  return {
    message: app.mail.isOn ? words : 'Your email is in the outbox. It will be sent once email is set up.',
    data,
  }
}
