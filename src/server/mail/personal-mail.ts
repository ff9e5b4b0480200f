import { fillPlaceholders, hasNamePlaceholder } from '#shared/placeholders.ts'
import type { Db } from '#server/db/db.ts'
import { escapeHtml, Html, html, paragraphs } from '#server/html/html.ts'
import { forOutside, textOf } from '#server/html/html-clean.ts'

/* Personal emails: each begins with a greeting, and replies reach the admin user who sent it. */

/** Returns an admin user's email address, to which replies go. */
export const emailOfStaff = async (db: Db, id: number): Promise<string> =>
  (await db.selectFrom('staff').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email

const greeting = 'Hello {{name}},'
const greets = /^(dear|hello|hi|hey|greetings|good (morning|afternoon|evening|day))(?=[\s,!.]|$)/i

/**
 * Returns whether a text already greets its recipient: its first line starts with a greeting or contains
 * their name.
 */
function hasGreeting(text: string): boolean {
  const line = text.trim().split('\n')[0] ?? ''
  return greets.test(line) || hasNamePlaceholder(line)
}

const greetingOf = (text: string) => (hasGreeting(text) ? '' : html`<p>${greeting}</p>`)

/** Returns the values of a mailing's template for plain text, with a greeting unless the text has one. */
export const personalValues = (subject: string, text: string, publicUrl: string | undefined) => ({
  subject: html`${subject}`,
  greeting: greetingOf(text),
  message: html`${paragraphs(text, publicUrl)}`,
})

/**
 * Returns the values of a mailing's template for rich text, with a greeting unless the text has one. Uploaded
 * images require a session, so they are left out.
 */
export const personalHtmlValues = (subject: string, message: string) => ({
  subject: html`${subject}`,
  greeting: greetingOf(textOf(message)),
  message: new Html(forOutside(message)),
})

/** Returns the preview of an email as a recipient with this name sees it. */
export const shownTo = (
  { subject, html: page }: { subject: string; html: string },
  name: string,
): { subject: string; html: string } => ({
  subject: fillPlaceholders(subject, name),
  html: fillPlaceholders(page, escapeHtml(name)),
})
