import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { isAddress } from '#shared/recipients.ts'
import { scoreNames, scores } from '#features/crm/support/ratings.contract.ts'
import type { Writing } from '#features/crm/support/server/changes.ts'
import { firstNameIn } from '#features/crm/support/server/requester-names.ts'
import { withHistory } from '#features/crm/support/server/replies/quoted-history.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { html, Html } from '#server/html/html.ts'
import { forOutside, imagesIn, textOf } from '#server/html/html-clean.ts'
import type { App } from '#server/app.ts'
import { findOwnAddresses } from '#server/inbound/own-addresses.ts'
import { findImages, findStored } from '#server/mail/attachments.ts'
import { linkPlace } from '#server/mail/link-place.ts'
import type { Mail } from '#server/mail/mail.ts'
import { findMailRules } from '#server/mail/rules.ts'
import { textPart } from '#server/mail/text-part.ts'

interface Answer {
  id: number
  /** ID of the message that is sent; the email quotes those before it. */
  message_id?: number | undefined
  title: string
  token: string
  message: string
  /** Its attachments, without the images in the message. */
  file_ids: readonly number[]
  /** Omitted if its author didn't choose who gets a copy; no one does then. */
  cc?: readonly string[] | undefined
  /** Whether the email asks how satisfied the customer is. */
  asksRating: boolean
}

/**
 * Queues the reply as an email to the requester in the ticket's email thread. Returns null if the requester
 * has no email address.
 * @throws HttpError 422 if the requester has none, but others should get a copy, or if the panel itself would get one.
 */
export async function queueReply(
  app: App,
  { db, viewer }: Pick<Writing, 'db' | 'viewer'>,
  { id, title, message_id, token, message, file_ids, cc, asksRating }: Answer,
): Promise<number | null> {
  const requester = await findRequester(db, id)
  const { email, talk } = requester
  if (email === null || !isAddress(email)) {
    if (cc !== undefined && cc.length > 0)
      throw invalid('cc', 'No one can be copied: the requester has no email address.')
    return null
  }
  const isOwn = await findOwnAddresses(db, app.settings)
  const own = cc?.find(isOwn)
  if (own !== undefined) throw invalid('cc', `${own} is an address of this panel. Remove it from Cc.`)
  const images = imagesIn(message)
  const heads = talk.filter((one) => /^<[^<>\s]+>$/.test(one)).toReversed()
  const reply = { id, title, message_id, message, asksRating }
  const written = await writeReply(app, { db, viewer }, reply, requester)
  return app.mail.queue(db, {
    kind: 'ticket-reply',
    to: [email],
    cc,
    ...written,
    record: { type: 'ticket', id },
    reply_token: token,
    in_reply_to: heads.at(-1),
    references: heads.length ? heads : undefined,
    attachments: [...(await findImages(db, images)), ...(await findStored(db, file_ids))],
    sendAfterSeconds: (await findMailRules(db)).undo_seconds,
  })
}

/** Returns the email of a reply to a ticket, as `queueReply` sends it. */
export async function writeReply(
  app: App,
  { db, viewer }: Author,
  reply: Pick<Answer, 'id' | 'title' | 'message_id' | 'message' | 'asksRating'>,
  requester: Awaited<ReturnType<typeof findRequester>>,
) {
  const { product_id, email } = requester
  const about = { product_id: product_id ?? undefined, staff_id: viewer.id }
  const words = await writeWords(app, { db, viewer }, reply, requester)
  const asked = reply.asksRating ? withQuestion(words) : words
  const quoting = { db, viewer, ticket: reply.id, before: reply.message_id, email }
  return { ...(await withHistory(asked, quoting)), ...about }
}

/** Returns the email of a reply without the messages that it quotes. */
export async function writeWords(
  app: App,
  { db, viewer }: Author,
  { id, title, message }: Pick<Answer, 'id' | 'title' | 'message'>,
  { first_name, product_id }: Pick<Awaited<ReturnType<typeof findRequester>>, 'first_name' | 'product_id'>,
) {
  const about = { product_id: product_id ?? undefined, staff_id: viewer.id }
  const signature = await signatureBelow(app, db, about, message)
  const values = { ...ticketValues({ id, title, message }, first_name, imagesIn(message)), signature }
  return app.mail.write(db, 'ticket-reply', values, about)
}

/** Returns the signature; nothing if the message has it, as saved replies can. */
export async function signatureBelow(
  app: App,
  db: Db,
  about: { product_id: number | undefined; staff_id: number },
  message: string,
): Promise<Html> {
  const { html: signature } = await app.mail.signature(db, about)
  const wordsIn = (text: string) => textOf(text).replaceAll(/\s+/g, ' ')
  return new Html(wordsIn(message).includes(wordsIn(signature)) ? '' : signature)
}

interface Author {
  db: Db
  viewer: Pick<Viewer, 'id' | 'zone'>
}

/** Adds the question of how satisfied the customer is; its links are made when the email is sent. */
function withQuestion<Written extends Pick<Mail, 'html' | 'text'>>(written: Written): Written {
  const links = scoreNames.map(
    (score) => html`<a href="${`${linkPlace}?score=${score}`}">${scores[score]}</a>&nbsp; `,
  )
  const question = html`<p>How was our answer? ${links}</p>`
  return {
    ...written,
    html: `${written.html}<hr />${question}`,
    text: `${written.text}\n\n${textPart(question.text)}`,
  }
}

/** Returns the requester of a ticket, and the Message-IDs of the conversation, newest first. */
export async function findRequester(db: Db, id: number) {
  const { rows } = await sql<{
    email: string | null
    own_first_name: string | null
    sender_name: string
    product_id: number | null
    talk: string[]
  }>`select coalesce(u.first_name, s.first_name) as own_first_name, t.sender_name,
        (select min(p.product_id) from organization_products p where p.organization_id = t.organization_id having count(*) = 1) as product_id,
        case when u.banned_at is null then requester_address(t.id) end as email,
        array(select coalesce(m.message_id, a.message_id) from ticket_messages m left join mails a on a.id = m.mail_id
          where m.ticket_id = t.id and coalesce(m.message_id, a.message_id) is not null and a.called_off_at is null order by m.id desc limit 20) as talk
      from tickets t left join customer_users u on u.id = t.customer_user_id left join staff s on s.id = t.staff_id where t.id = ${id}`.execute(
    db,
  )
  const { own_first_name, sender_name, ...requester } = rows[0]!
  return { ...requester, first_name: own_first_name ?? firstNameIn(sender_name) }
}

/** @param images IDs of the files whose images the email shows */
export const ticketValues = (
  { id, title, message }: Pick<Answer, 'id' | 'title' | 'message'>,
  first_name: string,
  images: readonly number[] = [],
) => ({
  ticket_title: title,
  ticket_number: `#${id}`,
  first_name: first_name || 'there',
  reply: new Html(forOutside(message, undefined, images)),
})
