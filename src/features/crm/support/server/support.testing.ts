import type { TestApp } from '#app/testing/start.testing.ts'
import type { Db } from '#server/db/db.ts'

/** Inserts a ticket with one unread message from the customer, for tests. */
export async function enterTicket(
  db: Db,
  values: {
    title?: string
    organization_id?: number
    customer_user_id?: number
    staff_id?: number
    assignee_id?: number
    status?: number
    sender_name?: string
    sender_phone?: string
    sender_email?: string
    priority?: number
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

/** The secret with which an app receives tickets by email, for its `env`. */
export const inboundSecret = { INBOUND_SECRET: 'a-secret-of-thirty-two-characters' }

/** Receives an email with files, which opens a ticket; returns its ID. The app has `inboundSecret`. */
export async function receiveTicket(
  app: TestApp,
  files: readonly { name: string; bytes: Buffer }[],
): Promise<number> {
  const { id } = await app.as(undefined).send('POST', '/inbound/ticket', undefined, {
    headers: { 'x-inbound-secret': inboundSecret.INBOUND_SECRET },
    form: {
      message_id: '<logs@resort.example>',
      from: 'jana@resort.example',
      subject: 'The scanner stopped',
      text: 'Attached.',
      'attachment[]': [...files],
    },
  })
  return id as number
}
