import { sql } from 'kysely'
import { dayText } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { wallTime } from '#shared/zones.ts'
import { isOfRequester, isSaid } from '#features/crm/support/server/conditions.ts'
import { cleanedText } from '#features/crm/support/server/replies/cleaned-text.ts'
import type { Db } from '#server/db/db.ts'
import { html, Html } from '#server/html/html.ts'
import { forOutside, textOf } from '#server/html/html-clean.ts'
import type { Mail } from '#server/mail/mail.ts'
import { textPart } from '#server/mail/text-part.ts'

/** Limits of what an email quotes. */
const mostMessages = 5
const longestMessage = 50_000

interface Message {
  message: string
  text: string | null
  created_at: string
  is_foreign: boolean
  who: string
}

interface Quoting {
  db: Db
  viewer: Pick<Viewer, 'zone'>
  ticket: number
  /** ID of the message that the email brings; without it, all messages are older. */
  before: number | undefined
  /** Address of the requester to which the email goes. */
  email: string | null
}

/** Adds the last messages between the desk and the requester to an email, newest first, as quotes. */
export async function withHistory<Written extends Pick<Mail, 'html' | 'text'>>(
  written: Written,
  quoting: Quoting,
): Promise<Written> {
  const quotes: { head: string; body: string }[] = []
  for (const { created_at, who, ...message } of await findQuoted(quoting)) {
    const { day, time, abbreviation } = wallTime(created_at, quoting.viewer.zone ?? 'UTC')
    const body = await quotable(message)
    if (textOf(body) !== '')
      quotes.push({ head: `On ${dayText(day)}, ${time} ${abbreviation}, ${who} wrote:`, body })
  }
  const shown = quotes.map(
    ({ head, body }) =>
      html`<p>${head}</p>
        <blockquote>${new Html(body)}</blockquote>`.text,
  )
  const said = quotes.map(({ head, body }) => [head, ...textPart(body).split('\n').map(quoted)].join('\n'))
  return {
    ...written,
    html: [written.html, ...shown].join(''),
    text: [written.text, ...said.map(withoutVariables)].join('\n\n'),
  }
}

const quoted = (line: string) => (line === '' ? '>' : `> ${line}`)
/** A customer can write what the delivery would replace, such as `{{link}}`. */
const withoutVariables = (text: string) => text.replaceAll('{{', '{ {')

/**
 * Only what the requester wrote or got, also from someone else who has the email in Cc: a ticket can have messages that
 * they don't know, such as those of a merged ticket, or the answer to a forwarded message.
 */
async function findQuoted({ db, ticket, before, email }: Quoting): Promise<Message[]> {
  const { rows } = await sql<Message>`select m.message, m.created_at, m.is_foreign,
      (select e.text from received_mails e where e.ticket_message_id = m.id limit 1) as text,
      coalesce(s.name, nullif(u.name, ''), nullif(m.sender_name, ''), m.sender_email::text, nullif(t.sender_name, ''), 'Someone') as who
    from ticket_messages m join tickets t on t.id = m.ticket_id left join staff s on s.id = m.staff_id
      left join customer_users u on u.id = m.customer_user_id
    where m.ticket_id = ${ticket} and ${before === undefined ? sql`true` : sql`m.id < ${before}`} and ${isSaid}
      and length(m.message) <= ${longestMessage}
      and case when m.sent_by_admin
        then exists (select from mail_recipients r where r.mail_id = m.mail_id
          and (r.address = ${email}::citext or r.address in (select addresses_of(t.customer_user_id))))
        else ${isOfRequester} or exists (select from received_mails e where e.ticket_message_id = m.id
          and lower(${email}) = any(select lower(a) from unnest(e.to_addresses || e.cc_addresses) a)) end
    order by m.id desc limit ${mostMessages}`.execute(db)
  return rows
}

/** Returns a message as clean HTML without images, and without what it quotes itself. */
async function quotable({ message, text, is_foreign }: Pick<Message, 'message' | 'text' | 'is_foreign'>) {
  const cleaned = is_foreign ? await cleanedText({ message, text }) : message
  let left = forOutside(cleaned)
  for (let before = ''; before !== left;) {
    before = left
    // From the inside out.
    left = left.replaceAll(/<blockquote>(?:(?!<\/?blockquote>)[^])*<\/blockquote>/g, '')
  }
  return left.replaceAll('{{', '&#123;&#123;')
}
