import { sql } from 'kysely'
import { textFields, type RecordSamples, type Samples } from '#app/testing/samples.testing.ts'
import type { Db } from '#server/db/db.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

/** Fields that don't contain free text: HTML, email header values, and shortcuts. */
export const notFree =
  /^(body\.)?(message|sender_phone|sender_email|shortcut|delivery_date|until|earlier\.0\.until|from|auto_submitted|precedence|zone|days.*)$/

const insertReply = async (db: Db, created_by: number): Promise<number> =>
  (
    await db
      .insertInto('saved_replies')
      .values({ name: 'Count manually', content: '<p>Open Count.</p>', created_by })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

/** Inserts a delivered task with a ticket, whose requester can be sent a message. */
async function enterNotice(db: Db): Promise<{ task: string; ticket: string }> {
  const { id: ticket_id } = await enterTicket(db, { sender_email: 'jana@resort.example' })
  return { task: String(await enterTask(db, { status: 4, ticket_id })), ticket: String(ticket_id) }
}

export const samples: Samples = {
  'POST /admin/support/saved-replies': () => ({
    input: { name: 'Count manually', content: '<p>Open Count.</p>' },
  }),
  'POST /admin/support/saved-replies/{id}': async ({ started }) => ({
    input: {},
    params: { id: String(await insertReply(started.db, started.as('super_admin').id)) },
  }),

  'POST /admin/support/ticket/{ticket}/saved-replies/preview': async ({ started }) => ({
    input: { content: '<p>Open Count.</p>' },
    params: { ticket: String((await enterTicket(started.db)).id) },
  }),

  'POST /admin/support/targets': () => ({
    input: {
      version: 0,
      targets: [],
      pauses_while_waiting: true,
      reminder_percent: null,
      zone: 'UTC',
      days: [null, null, null, null, null, null, null],
      holidays: [],
    },
  }),

  'POST /admin/support/ticket/{ticket}/split': async ({ started }) => {
    const { id, message_id } = await enterTicket(started.db)
    await started.db
      .insertInto('ticket_messages')
      .values({ ticket_id: id, sent_by_admin: false, message: '<p>And?</p>' })
      .execute()
    return {
      input: { title: 'October invoice', category: 1, assignee_id: null, message_ids: [message_id] },
      params: { ticket: String(id) },
    }
  },

  'POST /admin/support/ticket/{ticket}/requester': async ({ started }) => ({
    input: { sender_name: 'Anna Reuter' },
    params: { ticket: String((await enterTicket(started.db)).id) },
  }),

  'POST /admin/support/ticket': () => ({
    input: { title: 'The scanner stopped', message: '<p>It shows nothing.</p>', sender_name: 'Anna Reuter' },
  }),
  'POST /admin/support/ticket/{id}/update': async ({ started }) => ({
    input: {},
    params: { id: String((await enterTicket(started.db)).id) },
  }),
  'POST /admin/support/change-ticket-delivery-date/{ticket}': async ({ started }) => ({
    input: { delivery_date: null },
    params: { ticket: String((await enterTicket(started.db)).id) },
  }),
  'POST /admin/support/change-tickets': async ({ started }) => ({
    input: {
      selection: { ids: [(await enterTicket(started.db)).id] },
      change: { kind: 'delivery', delivery_date: null },
    },
  }),
  'POST /admin/support/note-tickets': async ({ started }) => ({
    input: { support_comment: 'Hello', ticket_ids: [(await enterTicket(started.db)).id] },
  }),
  'POST /admin/support/snooze-tickets': async ({ started }) => ({
    input: { until: null, selection: { ids: [(await enterTicket(started.db)).id] } },
  }),
  'POST /admin/support/unsnooze-tickets': async ({ started }) => {
    const { id } = await enterTicket(started.db)
    return { input: { ids: [id], earlier: [{ id, until: '2099-03-20T09:00:00.000Z' }] } }
  },
  'POST /admin/support/ticket/{ticket}/snooze': async ({ started }) => ({
    input: { until: null },
    params: { ticket: String((await enterTicket(started.db)).id) },
  }),
  'POST /admin/support/moveCard/{ticket}': async ({ started }) => ({
    input: { list_id: 1 },
    params: { ticket: String((await enterTicket(started.db)).id) },
  }),
  'POST /admin/support/sendReply/{id}': async ({ started }) => ({
    input: { message: '<p>Hello</p>', card_id: 0 },
    params: { id: String((await enterTicket(started.db)).id) },
  }),
  'POST /admin/support/ticket/{ticket}/messages/{message}/forward': async ({ started }) => {
    const { id, message_id } = await enterTicket(started.db)
    return {
      input: { to: ['jana@resort.example'], content: '<p>Please look at this.</p>' },
      params: { ticket: String(id), message: String(message_id) },
    }
  },
  'POST /admin/support/ticket/{ticket}/incident-answer': async ({ started }) => {
    const { id } = await enterTicket(started.db, { sender_email: 'jana@resort.example' })
    return { input: { message: '<p>Hello</p>', ticket_ids: [id] }, params: { ticket: String(id) } }
  },
  'POST /admin/support/bulk-reply': async ({ started }) => {
    const { id } = await enterTicket(started.db, { sender_email: 'jana@resort.example' })
    return { input: { message: '<p>Hello</p>', ticket_ids: [id] } }
  },
  'POST /admin/support/ticket/{ticket}/incident-note': async ({ started }) => {
    const { id } = await enterTicket(started.db)
    return { input: { support_comment: 'Hello', ticket_ids: [id] }, params: { ticket: String(id) } }
  },
  'POST /admin/support/task-notices/{task}/{ticket}/skip': async ({ started }) => ({
    input: { reason: 'Called' },
    params: await enterNotice(started.db),
  }),
  'POST /admin/support/task-notices/{task}/{ticket}/send': async ({ started }) => ({
    input: { message: '<p>It is done.</p>' },
    params: await enterNotice(started.db),
  }),
  'POST /admin/support/task-notices/{task}/{ticket}/preview': async ({ started }) => ({
    input: { message: '<p>It is done.</p>' },
    params: await enterNotice(started.db),
  }),
  'POST /admin/support/ticket/{ticket}/comments/{id}': async ({ started }) => {
    const { id: ticket_id } = await enterTicket(started.db)
    const { id } = await started.db
      .insertInto('ticket_comments')
      .values({ ticket_id, support_comment: 'Hi', created_by: started.as('super_admin').id })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { input: { support_comment: 'Hello' }, params: { ticket: String(ticket_id), id: String(id) } }
  },
  'POST /admin/support/create-ticket/comment': async ({ started }) => ({
    input: { support_comment: 'Hello', ticket_id: (await enterTicket(started.db)).id },
  }),
}

export const records: RecordSamples = {
  ticket: {
    fields: [
      ['title', 'First', 'Second'],
      ['delivery_date', '2026-05-01', '2026-05-02'],
    ],
  },
  saved_reply: {
    ...textFields('name', 'content'),
    insert: (
      id,
      by,
    ) => sql`insert into saved_replies (id, name, content, is_shared, created_by) overriding system value
      values (${id}, 'Linen', '<p>Linen</p>', true, ${by})`,
  },
}
