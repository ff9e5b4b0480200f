import { sql } from 'kysely'
import type { ticketMerge } from '#features/crm/support/merge.contract.ts'
import { demandAssignee, notifyAssignee } from '#features/crm/support/server/assignment.ts'
import type { Writing } from '#features/crm/support/server/changes.ts'
import { isOfRequester, isSaid } from '#features/crm/support/server/conditions.ts'
import { getTicketRow, ticketKind } from '#features/crm/support/server/support.queries.ts'
import { customerUserKind } from '#features/crm/users/server/customer-user.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import type { Handler } from '#server/app.ts'
import { asOperation } from '#server/record/as-operation.ts'
import { createRecord, isVisible, lockRecord } from '#server/record/record.ts'
import { touchRecords } from '#server/record/touch.ts'

/** Moves messages to a new ticket, as an operation that can be undone. */
export const splitTicket: Handler<typeof ticketMerge.split> = async (
  { params: { ticket: from }, body: { message_ids, title, category, assignee_id } },
  context,
) => {
  const { app, db, viewer, audit, changed } = context
  const held = await lockRecord(db, ticketKind, from, viewer)
  if (held.merged_into !== null) throw conflict(`Ticket #${from} was merged into #${held.merged_into}.`)
  const moved = [...new Set(message_ids)]
  const created_at = await findFirstMoved(context, from, moved)
  if (assignee_id !== null) await demandAssignee(db, from, assignee_id)
  const { organization_id, ...requester } = await findRequesterOf(context, from, moved)
  // Until its messages are there, the new ticket is as one that was merged: undo makes it one again.
  const to = await createRecord(
    context,
    ticketKind,
    { title, category, organization_id, priority: held.priority, assignee_id },
    { ...requester, created_by: viewer.id, merged_into: from, created_at },
  )
  const both = sql`t.ticket_id in (${from}, ${to})`
  const summary = `Split #${to} from #${from}`
  const { operation } = await asOperation(
    context,
    ticketKind,
    from,
    {
      summary,
      parts: [
        { table: 'ticket_messages', where: both },
        { table: 'ticket_comments', where: both },
      ],
      also: [{ kind: ticketKind, id: to }],
    },
    () => move(context, moved, from, to),
  )
  audit({ target: 'ticket', id: from, after: { split_to: to } })
  audit({ target: 'ticket', id: to, after: { split_from: from } })
  changed('ticket', [from, to])
  if (assignee_id !== null) await notifyAssignee(app, context, assignee_id, [to])
  return { message: `${summary}.`, operation, data: await getTicketRow(db, to, viewer) }
}

/** Returns the requester of the new ticket, and their organization: the author of the moved messages, or the same. */
async function findRequesterOf(
  { db, viewer }: Pick<Writing, 'db' | 'viewer'>,
  id: number,
  moved: readonly number[],
) {
  const same = await db
    .selectFrom('tickets')
    .select([
      'organization_id',
      'customer_user_id',
      'staff_id',
      'sender_name',
      'sender_phone',
      'sender_email',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const author = await findOtherAuthor(db, moved)
  if (!author) return same
  const { customer_user_id: user, sender_name, sender_email } = author
  const other = { staff_id: null, sender_name, sender_phone: '', sender_email }
  if (user !== null && (await isVisible(db, customerUserKind, user, viewer))) {
    const { organization_id } = await db
      .selectFrom('customer_users')
      .select('organization_id')
      .where('id', '=', user)
      .executeTakeFirstOrThrow()
    return { ...other, customer_user_id: user, organization_id }
  }
  return sender_email === null
    ? same
    : { ...other, customer_user_id: null, organization_id: same.organization_id }
}

/** Returns the one person, other than the requester, who wrote all of the customers' messages among these. */
async function findOtherAuthor(db: Db, message_ids: readonly number[]) {
  const { rows } = await sql<{
    customer_user_id: number | null
    sender_name: string
    sender_email: string | null
    key: string | null
    is_own: boolean
  }>`select m.customer_user_id, m.sender_name, m.sender_email::text as sender_email, ${isOfRequester} is true as is_own,
      coalesce(m.customer_user_id::text, lower(m.sender_email::text)) as key
    from ticket_messages m join tickets t on t.id = m.ticket_id
    where m.id = any(${[...message_ids]}::int[]) and not m.sent_by_admin order by m.id desc`.execute(db)
  const [last] = rows
  return last && rows.every(({ key, is_own }) => !is_own && key !== null && key === last.key)
    ? last
    : undefined
}

/**
 * Returns when the first of the messages was written.
 * @throws HttpError 422 if one is not the ticket's, or if none would stay.
 */
async function findFirstMoved(
  { db }: Pick<Writing, 'db'>,
  ticket: number,
  moved: readonly number[],
): Promise<string> {
  const messages = await db
    .selectFrom('ticket_messages as m')
    .select(['m.id', 'm.created_at'])
    .where('m.ticket_id', '=', ticket)
    .where(isSaid)
    .orderBy('m.created_at')
    .execute()
  const ids = new Set(messages.map(({ id }) => id))
  if (!moved.every((id) => ids.has(id))) throw invalid('message_ids', 'Choose messages of this ticket.')
  if (moved.length === ids.size) throw invalid('message_ids', 'Leave at least one message in this ticket.')
  return messages.find(({ id }) => moved.includes(id))!.created_at
}

/** Moves messages with the notes about them; the emails to which the customer can reply follow them. */
async function move(
  { db }: Pick<Writing, 'db'>,
  message_ids: readonly number[],
  from: number,
  to: number,
): Promise<void> {
  const ids = sql`any(${[...message_ids]}::int[])`
  await sql`update ticket_messages set ticket_id = ${to} where id = ${ids}`.execute(db)
  await sql`update ticket_comments set ticket_id = ${to} where ticket_id = ${from} and message_id = ${ids}`.execute(
    db,
  )
  await sql`insert into ticket_unread (ticket_id, staff_id, is_marked, answered_at)
    select ${to}, staff_id, is_marked, answered_at from ticket_unread where ticket_id = ${from}
    on conflict do nothing`.execute(db)
  const last = sql`coalesce((select max(m.created_at) from ticket_messages m where m.ticket_id = r.id and ${isSaid}), r.created_at)`
  await touchRecords({ db }, ticketKind, from, { last_message_at: last })
  await touchRecords({ db }, ticketKind, to, { last_message_at: last, merged_into: null })
}
