import { sql } from 'kysely'
import { truncate } from '#shared/truncate.ts'
import { restingStatuses } from '#features/crm/support/rules.ts'
import { assignByRule } from '#features/crm/support/server/rules/assignment-rules.queries.ts'
import { recordCustomerMessage } from '#features/crm/support/server/changes.ts'
import { isSaid } from '#features/crm/support/server/conditions.ts'
import { confirmReceipt } from '#features/crm/support/server/replies/receipts.ts'
import { findSpamReason, sortByRules } from '#features/crm/support/server/rules/ticket-rules.queries.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { Db } from '#server/db/db.ts'
import type { App } from '#server/app.ts'
import type { FiledEmail, Receiving } from '#server/inbound/inbox.ts'
import { linkFiles } from '#server/inbound/files-of-email.ts'
import { createRecord } from '#server/record/record.ts'
import { touchRecords } from '#server/record/touch.ts'

/** Returns the user with an email address, their own or another one of theirs; of several, one who is not banned. */
export const findUser = (db: Db, address: string) =>
  db
    .selectFrom('customer_users')
    .select(['id', 'organization_id', 'banned_at'])
    .where(
      sql<boolean>`(email = ${address} or id in (select a.user_id from user_addresses a where a.address = ${address}))`,
    )
    .where('deleted_at', 'is', null)
    .orderBy(sql`banned_at is not null`)
    .orderBy(sql`email is distinct from ${address}`)
    .orderBy('id')
    .executeTakeFirst()

/** Returns the user who wrote an email: whom a colleague chose, or the one with its address. */
const findAuthor = (db: Db, { user_id, from_address }: FiledEmail) =>
  user_id === undefined
    ? findUser(db, from_address)
    : db
        .selectFrom('customer_users')
        .select(['id', 'organization_id', 'banned_at'])
        .where('id', '=', user_id)
        .executeTakeFirst()

async function createTicket(app: App, context: Receiving, email: FiledEmail): Promise<number> {
  const { db, viewer } = context
  const user = email.banned ? undefined : await findAuthor(db, email)
  const title = truncate(email.subject.replaceAll(/\s+/g, ' ').trim(), 300) || '(no subject)'
  const id = await createRecord(
    context,
    ticketKind,
    { title, organization_id: user?.organization_id },
    {
      customer_user_id: user?.id ?? null,
      sender_name: email.from_name,
      sender_email: email.from_address || null,
      created_by: viewer?.id ?? null,
      created_at: email.received_at,
      last_message_at: email.received_at,
    },
  )
  if (!email.banned) {
    const sorted = await sortByRules({ ...context, clock: app.clock }, id, email.content)
    if (sorted.isSpam) return id
    await assignByRule(app, context, id, sorted.assignee_id)
    await confirmReceipt(app, context, id, email)
  }
  return id
}

/**
 * The time of an email on a ticket: when it was received, unless the ticket has moved on since then. An email that is filed
 * after an answer follows it, because that didn't answer it.
 */
const timeOnTicket = (ticket_id: number, received_at: string) => sql<string>`(
  select greatest(${received_at}::timestamptz, t.created_at, l.at,
    case when l.at is not null then (select max(c.changed_at) from ticket_status_changes c where c.ticket_id = t.id) end)
  from tickets t, lateral (select max(m.created_at) as at from ticket_messages m where m.ticket_id = t.id) l
  where t.id = ${ticket_id})`

/** Adds an email to a ticket as a message and reopens the ticket; a banned user's changes nothing else. */
async function addToTicket(
  app: App,
  context: Receiving,
  ticket_id: number,
  email: FiledEmail,
): Promise<number> {
  const { db } = context
  const ticket = await db
    .selectFrom('tickets')
    .select([
      'status',
      (of) =>
        of
          .exists(
            of.selectFrom('ticket_messages as m').whereRef('m.ticket_id', '=', 'tickets.id').select('m.id'),
          )
          .as('has_messages'),
    ])
    .where('id', '=', ticket_id)
    .executeTakeFirstOrThrow()
  const user = await findAuthor(db, email)
  const { id } = await db
    .insertInto('ticket_messages')
    .values({
      ticket_id,
      sent_by_admin: false,
      customer_user_id: user?.id ?? null,
      sender_name: email.from_name,
      sender_email: email.from_address || null,
      message: email.content,
      is_foreign: email.is_foreign,
      created_at: timeOnTicket(ticket_id, email.received_at),
      message_id: email.message_id,
      refused_files: email.problems,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await linkFiles(context, email.file_ids, { type: 'ticket_message', id })
  if (!email.banned)
    await recordCustomerMessage(
      app,
      context,
      ticket_id,
      id,
      Boolean(ticket.has_messages) && restingStatuses.includes(ticket.status),
    )
  return id
}

/** Removes an email from a ticket that it doesn't belong to. */
async function takeBackFromTicket(
  { db, changed }: Receiving,
  ticket_id: number,
  message_id: number,
): Promise<void> {
  const next = sql`(select min(m.id) from ticket_messages m where m.ticket_id = r.id and m.id > ${message_id} and not m.sent_by_admin)`
  await touchRecords(
    { db },
    ticketKind,
    sql`r.id = ${ticket_id} and r.unread_message_id = ${message_id}`,
    { unread_message_id: next },
    { keepsVersion: true },
  )
  await sql`delete from file_links where record_type = 'ticket_message' and record_id = ${message_id}`.execute(
    db,
  )
  await db.deleteFrom('ticket_messages').where('id', '=', message_id).execute()
  const last = sql`coalesce((select max(m.created_at) from ticket_messages m where m.ticket_id = r.id and ${isSaid}), r.created_at)`
  await touchRecords({ db }, ticketKind, ticket_id, { last_message_at: last }, { keepsVersion: true })
  changed('ticket', [ticket_id])
}

/** Returns whether an address is the ticket's requester, or a user of its organization. */
async function belongsToTicket(db: Db, id: number, address: string): Promise<boolean> {
  const { rows } = await sql`select 1 from tickets t where (t.id = ${id} or t.merged_into = ${id}) and (
      t.sender_email = ${address}::citext
      or exists (select from customer_users u where u.deleted_at is null
        and (u.email = ${address}::citext or u.id in (select a.user_id from user_addresses a where a.address = ${address}::citext))
        and (u.id = t.customer_user_id or u.organization_id = t.organization_id))
      or exists (select from staff s where s.id = t.staff_id and s.email = ${address}::citext))`.execute(db)
  return rows.length > 0
}

/** Lets emails arrive on tickets: replies, and the emails of known users, which open one. */
export function receiveEmailsOnTickets(app: App): void {
  app.inbox.findSpamReason = findSpamReason
  app.inbox.registerPlace('ticket', {
    belongs: belongsToTicket,
    create: (context, email) => createTicket(app, context, email),
    add: (context, id, email) => addToTicket(app, context, id, email),
    takeBack: takeBackFromTicket,
  })
  app.inbox.registerSender(async (db, address) =>
    (await findUser(db, address)) ? { type: 'ticket', id: 'create' } : undefined,
  )
}
