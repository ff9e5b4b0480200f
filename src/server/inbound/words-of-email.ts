import type { Db } from '#server/db/db.ts'
import { html, paragraphs } from '#server/html/html.ts'
import type { ParsedEmail } from '#server/inbound/email.ts'
import { htmlWithoutQuote, textWithoutQuote, type Sent } from '#server/inbound/own-quote.ts'

/**
 * Returns the HTML of an email as a message, without our own email that it quotes; `is_foreign` says whether it is
 * the sender's own HTML.
 */
export async function wordsOfEmail(
  db: Db,
  email: Pick<ParsedEmail, 'html' | 'text' | 'in_reply_to' | 'references'>,
  /** ID of the email that it answers. */
  mail_id: number | null,
): Promise<{ content: string; is_foreign: boolean }> {
  const sent = await findAnswered(db, email, mail_id)
  if (email.html.trim() !== '') return { content: htmlWithoutQuote(email.html, sent), is_foreign: true }
  return {
    content: html`${paragraphs(textWithoutQuote(email.text, sent), undefined)}`.text,
    is_foreign: false,
  }
}

/** An answer quotes the last email of the conversation, and that one the emails before it. */
const mostAnswered = 3

/** Returns the last of our emails that an email answers. */
async function findAnswered(
  db: Db,
  { in_reply_to, references }: Pick<ParsedEmail, 'in_reply_to' | 'references'>,
  mail_id: number | null,
): Promise<Sent[]> {
  const ids = `${references} ${in_reply_to}`.match(/<[^<>\s]+>/g)?.slice(-20) ?? []
  if (mail_id === null && ids.length === 0) return []
  return db
    .selectFrom('mails')
    .select(['html', 'text'])
    .where((where) =>
      where.or([
        ...(mail_id === null ? [] : [where('id', '=', mail_id)]),
        ...(ids.length === 0 ? [] : [where('message_id', 'in', ids)]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(mostAnswered)
    .execute()
}
