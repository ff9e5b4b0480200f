import { sql } from 'kysely'
import { tickets } from '#features/crm/support/contract.ts'
import { openStatus } from '#features/crm/support/rules.ts'
import {
  reassignFromAbsent,
  type RuleApp,
} from '#features/crm/support/server/rules/assignment-rules.queries.ts'
import { getTicketRow, ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { Db } from '#server/db/db.ts'
import { imagesIn } from '#server/html/html-clean.ts'
import type { App, WriteContext } from '#server/app.ts'
import type { ReceivedFile } from '#server/files/inspect-file.ts'
import { attachFiles, setInlineImages } from '#server/files/record-files.ts'
import { addNotices } from '#server/record/notices.ts'
import { changeRecord } from '#server/record/record.ts'
import type { Row } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

export type Writing = WriteContext<typeof tickets.changeStatus>

/** Notifies the ticket's owner separately, because their request page receives no ticket events. */
export const notifyOwner = (
  app: App,
  { viewer, afterCommit }: Pick<Writing, 'viewer' | 'afterCommit'>,
  { staff_id }: Row,
) => {
  if (typeof staff_id === 'number' && staff_id !== viewer.id)
    afterCommit(() => app.live.publish(`private-staff.${staff_id}`, 'requests', {}))
}

/** Changes a ticket and returns the answer to the request. */
export const changeTicket = async (
  app: App,
  context: Writing,
  id: number,
  values: Row,
  message: string,
  summary: string,
  stated = {},
) => {
  const current = () => getTicketRow(context.db, id, context.viewer)
  const { operation, after } = await changeRecord(context, ticketKind, id, values, {
    stated,
    current,
    summary,
  })
  if ('status' in values) await reassignFromAbsent(app, context, [id])
  notifyOwner(app, context, after)
  return { message, data: await current(), operation }
}

/**
 * Updates a ticket after a message from the requester: marks it as unread, for the desk and for each admin user who
 * can open tickets, clears the flag for requested feedback, ends snoozes, notifies followers, and reopens the ticket
 * if `opensAgain` is set. An assignee who can't open the ticket doesn't keep it.
 */
export async function recordCustomerMessage(
  app: RuleApp,
  context: Pick<Writing, 'db' | 'audit' | 'afterCommit'>,
  ticket_id: number,
  message_id: number,
  opensAgain: boolean,
): Promise<void> {
  const { db, afterCommit } = context
  const received = {
    ...unread(message_id),
    last_message_at: lastMessageAt(message_id),
    customer_feedback: false,
  }
  const values = opensAgain ? { ...received, status: openStatus } : received
  await touchRecords({ db }, ticketKind, ticket_id, values, { keepsVersion: !opensAgain })
  await reassignFromAbsent(app, context, [ticket_id])
  await markUnreadForStaff(db, ticket_id)
  await db.deleteFrom('ticket_snoozes').where('ticket_id', '=', ticket_id).execute()
  const { rows } = await sql<{
    title: string
    by: number | null
    who: string
  }>`select t.title, m.staff_id as by,
      coalesce(s.name, nullif(u.name, ''), nullif(m.sender_name, ''), m.sender_email::text, 'Someone') as who
    from ticket_messages m join tickets t on t.id = m.ticket_id left join staff s on s.id = m.staff_id
      left join customer_users u on u.id = m.customer_user_id where m.id = ${message_id}`.execute(db)
  const { title, by, who } = rows[0]!
  await notifyFollowers(
    app,
    { db, afterCommit },
    { ticket_id, title, by, anchor: `message-${message_id}`, words: `${who} wrote.` },
  )
}

/** Not before that of a later message, which an email can have that is filed after it. */
const lastMessageAt = (message_id: number) =>
  sql`greatest(r.last_message_at, (select m.created_at from ticket_messages m where m.id = ${message_id}))`

/** Marks a ticket as unread for each admin user who can open tickets, except its requester and `but`. */
export async function markUnreadForStaff(db: Db, ticket_id: number, but?: number): Promise<void> {
  await sql`insert into ticket_unread (staff_id, ticket_id)
    select s.id, t.id from tickets t, staff s join role_permissions p on p.role_id = s.role_id and p.permission = 'all_tickets_view'
    where t.id = ${ticket_id} and s.banned_at is null and s.deleted_at is null and s.id is distinct from t.staff_id
      and s.id is distinct from ${but ?? null}
    on conflict (staff_id, ticket_id) do update set answered_at = null where ticket_unread.answered_at is not null`.execute(
    db,
  )
}

interface Followed {
  ticket_id: number
  title: string
  /** The admin user who wrote; null if the customer did. */
  by: number | null
  anchor: string
  words: string
}

/** Notifies the followers of a ticket of a message or comment, except its author. */
export async function notifyFollowers(
  app: Pick<App, 'live'>,
  writing: Pick<Writing, 'db' | 'afterCommit'>,
  { ticket_id, title, by, anchor, words }: Followed,
): Promise<void> {
  const followers = await writing.db
    .selectFrom('ticket_followers')
    .select('staff_id as id')
    .where('ticket_id', '=', ticket_id)
    .execute()
  const record = { type: 'ticket', id: ticket_id, title, anchor }
  const people = followers.map(({ id }) => ({ id, record }))
  await addNotices(app, writing, { kind: 'followed', by, words, people })
}

/** The first message that no admin user has read. */
export const unread = (message_id: number | null) => ({ unread_message_id: message_id })

interface NewMessage {
  ticket_id: number
  sent_by_admin: boolean
  staff_id?: number | null
  customer_user_id?: number | null
  sender_name?: string
  sender_email?: string | null
  /** Cleaned HTML. */
  message: string
}

/** Adds a message with its images and the received or staged files, and returns their IDs. */
export async function addMessage(
  app: App,
  context: Parameters<typeof attachFiles>[1] & { files: { attachment?: ReceivedFile[] } },
  values: NewMessage,
  file_ids: readonly number[] | undefined,
): Promise<{ message_id: number; file_ids: number[] }> {
  const { id } = await context.db
    .insertInto('ticket_messages')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow()
  const owner = { type: 'ticket_message', id }
  await setInlineImages(app.files, context, owner, imagesIn(values.message))
  const files = { files: context.files.attachment ?? [], file_ids }
  return { message_id: id, file_ids: await attachFiles(app.files, context, files, owner) }
}
