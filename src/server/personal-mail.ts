import { fillPlaceholders, hasNamePlaceholder } from '#shared/placeholders.ts'
import type { Db } from '#server/db/db.ts'
import { escapeHtml, Html, html, mailPage, paragraphs } from '#server/html.ts'
import { forOutside, textOf } from '#server/html-clean.ts'

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

interface Parts {
  subject: string
  html: string
  text: string
}

/** Builds an email from plain text, adding a greeting at the start unless the text already has one. */
export function personalMail(subject: string, text: string, publicUrl: string | undefined): Parts {
  const greeted = hasGreeting(text) ? text : `${greeting}\n\n${text}`
  return { subject, html: mailPage(subject, paragraphs(greeted, publicUrl)), text: `${greeted}\n` }
}

/**
 * Builds an email from rich text, adding a greeting at the start unless the text already has one. Uploaded
 * images require a session, so they are left out.
 */
export function personalHtmlMail(subject: string, message: string): Parts {
  const text = textOf(message)
  const isGreeted = hasGreeting(text)
  const body = new Html(forOutside(message))
  return {
    subject: subject.replaceAll(/\s+/g, ' '),
    html: mailPage(subject, isGreeted ? [body] : [html`<p>${greeting}</p>`, body]),
    text: isGreeted ? `${text}\n` : `${greeting}\n\n${text}\n`,
  }
}

/** Returns an email as a recipient with this name sees it, with the unsubscribe link that is added at its end. */
export function previewOf({ subject, html: page }: Parts, name: string): Pick<Parts, 'subject' | 'html'> {
  const end = page.lastIndexOf('</body>')
  return {
    subject: fillPlaceholders(subject, name),
    html: fillPlaceholders(
      `${page.slice(0, end)}<p><u>Unsubscribe</u></p>${page.slice(end)}`,
      escapeHtml(name),
    ),
  }
}
