import { sql } from 'kysely'
import { isAddress } from '#shared/recipients.ts'
import { withoutInvisible } from '#shared/invisible.ts'
import { truncate } from '#shared/truncate.ts'
import { inboundTickets } from '#features/crm/support/inbound.contract.ts'
import { restingStatuses } from '#features/crm/support/rules.ts'
import { recordCustomerMessage } from '#features/crm/support/server/changes.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { html, paragraphs } from '#server/html.ts'
import { implement, type App, type Handler } from '#server/http/implement.ts'
import { readReplyTokens } from '#server/mail.ts'
import { attachFiles } from '#server/record-files.ts'

const receiveEmail =
  (app: App): Handler<typeof inboundTickets.receive> =>
  async ({ body }, context) => {
    const { db, audit, changed, files, refusedFiles } = context
    const { address, name } = senderOf(body.from, body.name)
    if (isAnswerOfMachine(body) || address === addressOf(app.settings.mailFrom))
      return { message: 'Automatic replies are ignored.', id: null }
    // Serializes concurrent deliveries of the same email.
    await sql`select pg_advisory_xact_lock(hashtextextended(${body.message_id}, 13))`.execute(db)
    const before = await db
      .selectFrom('ticket_messages')
      .select('ticket_id')
      .where('message_id', '=', body.message_id)
      .executeTakeFirst()
    if (before) return { message: 'Already received.', id: before.ticket_id }
    const user = await db
      .selectFrom('customer_users')
      .select(['id', 'organization_id'])
      .where('email', '=', address)
      .where('deleted_at', 'is', null)
      // If several users share an address, prefer one who is not banned, then the lowest ID.
      .orderBy(sql`banned_at is not null`)
      .orderBy('id')
      .executeTakeFirst()
    const known = await findThread(db, `${body.in_reply_to} ${body.references}`)
    const title = truncate(body.subject.replaceAll(/\s+/g, ' ').trim(), 300) || '(no subject)'
    const ticket_id =
      known?.id ??
      (
        await db
          .insertInto('tickets')
          .values({
            title,
            organization_id: user?.organization_id ?? null,
            customer_user_id: user?.id ?? null,
            sender_name: name,
            sender_email: address,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const isHtml = body.html.trim() !== ''
    const message = isHtml ? body.html : html`${paragraphs(body.text, undefined)}`.text
    const { id } = await db
      .insertInto('ticket_messages')
      .values({
        ticket_id,
        sent_by_admin: false,
        customer_user_id: user?.id ?? null,
        sender_name: name,
        sender_email: address,
        message,
        is_foreign: isHtml,
        message_id: body.message_id,
        refused_files: Object.values(refusedFiles).flat(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await attachFiles(app.files, context, { files: files.attachment ?? [] }, { type: 'ticket_message', id })
    await recordCustomerMessage(
      db,
      ticket_id,
      id,
      known !== undefined && restingStatuses.includes(known.status),
    )
    audit({
      target: 'ticket',
      id: ticket_id,
      after: known ? { message: truncate(textOfMail(body), 1000), from: address } : { title, from: address },
    })
    changed('ticket', [ticket_id])
    const left = Object.keys(refusedFiles).length
    return {
      message: left ? `Accepted, but ${left} of its files couldn’t be saved.` : 'Received.',
      id: ticket_id,
    }
  }

export function inboundRoutes(app: App): void {
  implement(app, inboundTickets.receive, receiveEmail(app))
}

const textOfMail = ({ text, html: page }: { text: string; html: string }) =>
  text.trim() || page.replaceAll(/<[^>]*>/g, ' ').trim()

/**
 * Finds and locks the ticket that an email replies to, excluding tickets in the trash. The ticket is
 * identified by our reply token or by other emails in the thread.
 */
async function findThread(db: Db, heads: string): Promise<{ id: number; status: number } | undefined> {
  const tokens = readReplyTokens(heads)
  const ids = (heads.match(/<[^<>\s]+>/g) ?? []).slice(-50)
  if (!ids.length) return undefined
  const { rows } = await sql<{
    id: number
    status: number
  }>`select t.id, t.status from tickets t where t.deleted_at is null and (t.reply_token = any(${tokens}::text[])
      or t.id in (select m.ticket_id from ticket_messages m where m.message_id = any(${ids}::text[]))) order by t.id desc limit 1 for update`.execute(
    db,
  )
  return rows[0]
}

const addressOf = (from: string | undefined) =>
  withoutInvisible(/<([^<>\s]+)>\s*$/.exec(from ?? '')?.[1] ?? from ?? '')
    .trim()
    .toLowerCase()

/**
 * Returns the sender's address and name.
 * @throws HttpError 422 for an invalid address.
 */
function senderOf(from: string, name: string): { address: string; name: string } {
  const address = addressOf(from)
  if (!isAddress(address)) throw invalid('from', 'Enter a valid email address.')
  const before = from
    .slice(0, from.length - (/<[^<>]*>\s*$/.exec(from)?.[0].length ?? from.length))
    .replaceAll('"', '')
    .trim()
  return { address, name: truncate(name || before, 200) }
}

/**
 * Returns whether an email is an answer by a machine, such as an out-of-office reply (RFC 3834). Emails that
 * machines only pass on or fill in (group addresses, forms on web sites, shops) are not.
 */
const isAnswerOfMachine = ({ auto_submitted, precedence }: { auto_submitted: string; precedence: string }) =>
  /^\s*auto-replied\b/i.test(auto_submitted) || /^\s*auto_reply\b/i.test(precedence)
