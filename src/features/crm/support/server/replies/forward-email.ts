import { sql } from 'kysely'
import { isShownByMail } from '#shared/file-kinds.ts'
import { wallTime } from '#shared/zones.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { Writing } from '#features/crm/support/server/changes.ts'
import { cleanedText } from '#features/crm/support/server/replies/cleaned-text.ts'
import { mostImages } from '#features/crm/support/server/replies/answer.ts'
import type { Db } from '#server/db/db.ts'
import { html, Html } from '#server/html/html.ts'
import { forOutside, imagesIn } from '#server/html/html-clean.ts'
import { findImages, findStored } from '#server/mail/attachments.ts'
import type { Mail } from '#server/mail/mail.ts'
import { textPart } from '#server/mail/text-part.ts'
import { findOnlyProduct } from '#server/record/rows.ts'

interface Forwarded {
  id: number
  title: string
  message_id: number
  /** Cleaned HTML above the message; can be empty. */
  content: string
  /** Chosen files of the message. */
  file_ids: readonly number[]
}

/**
 * Writes the email that forwards a message: the author's text and signature, and the message with its sender and
 * the images in it.
 */
export async function writeForward(
  { app, db, viewer }: Pick<Writing, 'app' | 'db' | 'viewer'>,
  { id, title, message_id, content, file_ids }: Forwarded,
): Promise<Pick<Mail, 'subject' | 'html' | 'text' | 'product_id' | 'staff_id' | 'attachments'>> {
  const about = { product_id: await findOnlyProduct(db, ticketKind, id), staff_id: viewer.id }
  const signature = await app.mail.signature(db, about)
  const message = await getMessage(db, message_id)
  const { day, time, abbreviation } = wallTime(message.created_at, viewer.zone ?? 'UTC')
  const sent = `${day} ${time} ${abbreviation}`
  const lines = [`From: ${message.sender}`, `Date: ${sent}`, `Subject: ${title}`]
  const head = html`<p>Forwarded message${lines.map((line) => html`<br />${line}`)}</p>`
  const cleaned = await cleanedText(message)
  const images = await findShown(db, message_id, imagesIn(cleaned))
  const quoted = html`<blockquote>${new Html(forOutside(cleaned, undefined, images))}</blockquote>`
  const written = `${forOutside(content)}${signature.html}<hr />${head}${quoted}`
  const others = file_ids.filter((file) => !images.includes(file))
  const attachments = [...(await findImages(db, images)), ...(await findStored(db, others))]
  return { subject: `Fwd: ${title} [#${id}]`, html: written, text: textPart(written), attachments, ...about }
}

/**
 * Returns which images of a text its email can show. They are files of the message: a text from outside can name any
 * others.
 */
async function findShown(db: Db, message_id: number, images: readonly number[]): Promise<number[]> {
  if (images.length === 0) return []
  const files = await db
    .selectFrom('files')
    .innerJoin('file_links', 'file_links.file_id', 'files.id')
    .select(['files.id', 'files.mime'])
    .distinct()
    .where('files.id', 'in', [...images])
    .where('record_type', '=', 'ticket_message')
    .where('record_id', '=', message_id)
    .where('file_links.deleted_at', 'is', null)
    .execute()
  return files
    .filter(({ mime }) => isShownByMail(mime))
    .map(({ id }) => id)
    .slice(0, mostImages)
}

interface Message {
  message: string
  /** Text of the email that the message was; null if it was none. */
  text: string | null
  created_at: string
  /** Name and address. */
  sender: string
}

async function getMessage(db: Db, id: number): Promise<Message> {
  const { rows } = await sql<Message>`select m.message, m.created_at,
      (select e.text from received_mails e where e.ticket_message_id = m.id limit 1) as text,
      case when m.sent_by_admin then s.name
        else coalesce(nullif(concat_ws(' ', coalesce(s.name, nullif(u.name, ''), nullif(m.sender_name, ''), nullif(t.sender_name, '')),
          '<' || coalesce(m.sender_email, u.email, s.email, t.sender_email)::text || '>'), ''), 'Someone') end as sender
    from ticket_messages m join tickets t on t.id = m.ticket_id left join staff s on s.id = m.staff_id
      left join customer_users u on u.id = m.customer_user_id where m.id = ${id}`.execute(db)
  return rows[0]!
}
