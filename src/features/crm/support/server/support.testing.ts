import type { Db } from '#server/db/db.ts'

/** Inserts a ticket with one unread message from the customer, for tests. */
export async function enterTicket(
  db: Db,
  values: {
    title?: string
    organization_id?: number
    customer_user_id?: number
    staff_id?: number
    sender_email?: string
  } = {},
) {
  const { id } = await db
    .insertInto('tickets')
    .values({ title: 'The scanner stopped', ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: message_id } = await db
    .insertInto('ticket_messages')
    .values({
      ticket_id: id,
      sent_by_admin: false,
      customer_user_id: values.customer_user_id ?? null,
      message: '<p>It shows nothing.</p>',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('tickets').set({ unread_message_id: message_id }).where('id', '=', id).execute()
  return { id, message_id }
}
