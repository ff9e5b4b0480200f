import { sql } from 'kysely'
import { answerTicket, cleanAnswer, demandFilled } from '#features/crm/support/server/replies/answer.ts'
import { whyNotReached } from '#features/crm/support/server/replies/recipients.queries.ts'
import { findRequester, writeReply } from '#features/crm/support/server/replies/reply-email.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import { taskNotices, unreachable } from '#features/crm/support/task-notices/contract.ts'
import { findCustomers, findNotices } from '#features/crm/support/task-notices/server/task-notices.queries.ts'
import { delivered, statusName, type DisciplineName } from '#features/tasks/tasks/rules.ts'
import { demandKind, taskKind } from '#features/tasks/tasks/server/tasks.queries.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { conflict, notFound } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { findMailRules } from '#server/mail/rules.ts'
import { changeRecord, getRecord, isVisible, lockRecord } from '#server/record/record.ts'
import { liveName, type ContinuableWriting, type Writing } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

type Context = WriteContext<typeof taskNotices.skip>
type Customers = Awaited<ReturnType<typeof findCustomers>>

const show: Handler<typeof taskNotices.show> = async ({ params: { task } }, { app, db, viewer }) => ({
  data: await findNotices(app, db, task, await demandKind(db, task, viewer), viewer),
})

const preview: Handler<typeof taskNotices.preview> = async (
  { params: { task, ticket }, body },
  { app, db, viewer },
) => {
  await demandKind(db, task, viewer)
  demandCustomer(await findCustomers(db, task, viewer), ticket)
  const message = cleanAnswer(body.message)
  const { title } = await getRecord(db, ticketKind, ticket, viewer)
  const reply = { id: ticket, title, message, asksRating: false }
  const written = await writeReply(app, { db, viewer }, reply, await findRequester(db, ticket))
  const { subject, html } = await app.mail.preview(db, written)
  return { data: { subject, html } }
}

/** @throws HttpError 404 if the ticket isn't one of a customer of the task. */
function demandCustomer(customers: Customers, ticket: number): Customers[number] {
  const found = customers.find((one) => one.ticket_id === ticket && one.visible)
  if (!found) throw notFound('This ticket is not part of the task.')
  return found
}

/**
 * Locks a task, so that each of its customers gets only one message, and returns the customer.
 * @throws HttpError 409 if the task is no longer delivered, or the customer was sent a message or skipped.
 */
async function lockCustomer({ db, viewer }: Context, task: number, ticket: number) {
  const discipline = await demandKind(db, task, viewer)
  const held = await lockRecord(db, taskKind(discipline), task, viewer)
  if (held.status !== delivered)
    throw conflict(`This task is no longer delivered: its status is ${statusName(held.status)}.`)
  const customers = await findCustomers(db, task, viewer)
  const customer = demandCustomer(customers, ticket)
  const { notice } = customer
  if (notice)
    throw conflict(
      notice.state === 'sent'
        ? `${notice.who} already sent ${customer.requester} a message.`
        : notice.sent_in === null
          ? `${notice.who} already skipped ${customer.requester}.`
          : `${notice.who} already sent ${customer.requester} a message in #${notice.sent_in}.`,
    )
  return { discipline, customers, customer }
}

const send: Handler<typeof taskNotices.send> = async ({ params: { task, ticket }, body }, context) => {
  const { app, db, audit } = context
  const message = cleanAnswer(body.message)
  demandFilled(message)
  const { discipline, customers, customer } = await lockCustomer(context, task, ticket)
  const why = whyNotReached(customer)
  if (why) throw conflict(`${unreachable[why]}. Skip ${customer.requester} with a reason.`)
  const held = await lockRecord(db, ticketKind, ticket, context.viewer)
  const { message_id, mail_id } = await answerTicket(app, { ...context, files: { attachment: [] } }, held, {
    message,
    file_ids: body.file_ids,
    status: body.status,
  })
  await addNotice(context, { task_id: task, ticket_id: ticket, state: 'sent', message_id })
  const others = customers.filter(
    (one) => one.key === customer.key && one.ticket_id !== ticket && !one.notice,
  )
  for (const { ticket_id } of others)
    await addNotice(context, {
      task_id: task,
      ticket_id,
      state: 'skipped',
      reason: `Same requester as #${ticket}`,
      message_id,
    })
  audit({
    target: taskKind(discipline).type,
    id: task,
    after: { notified: `#${ticket} ${customer.requester}` },
  })
  const is_notified = await setFlagAfterLast(context, discipline, task)
  const { undo_seconds } = await findMailRules(db)
  return {
    message: sayDone(`Message to ${customer.requester} sent.`, is_notified),
    is_notified,
    data: { message_id, mail_id: mail_id!, undo_seconds },
  }
}

const skip: Handler<typeof taskNotices.skip> = async ({ params: { task, ticket }, body }, context) => {
  const { discipline, customer } = await lockCustomer(context, task, ticket)
  await addNotice(context, { task_id: task, ticket_id: ticket, state: 'skipped', reason: body.reason })
  context.audit({
    target: taskKind(discipline).type,
    id: task,
    after: { skipped: `#${ticket} ${customer.requester}`, reason: body.reason },
  })
  const is_notified = await setFlagAfterLast(context, discipline, task)
  return { message: sayDone(`${customer.requester} skipped.`, is_notified), is_notified }
}

const sayDone = (words: string, is_notified: boolean) =>
  is_notified ? `${words} The task is set as notified.` : words

interface NewNotice {
  task_id: number
  ticket_id: number
  state: 'sent' | 'skipped'
  reason?: string
  message_id?: number
}

/** Stores what became of a customer, in place of what became of them after an earlier delivery. */
async function addNotice({ db, viewer }: Context, notice: NewNotice): Promise<void> {
  const values = { reason: '', message_id: null, ...notice, staff_id: viewer.id }
  await db
    .insertInto('task_notices')
    .values(values)
    .onConflict((on) =>
      on.columns(['task_id', 'ticket_id']).doUpdateSet({ ...values, created_at: sql<string>`now()` }),
    )
    .execute()
}

/** Sets a task as notified if no customer is left, and returns whether it is. */
async function setFlagAfterLast(
  context: Context,
  discipline: DisciplineName,
  task: number,
): Promise<boolean> {
  const kind = taskKind(discipline)
  const customers = await findCustomers(context.db, task, context.viewer)
  context.changed(liveName(kind), [task])
  if (customers.some(({ notice }) => !notice)) return false
  await changeRecord(context, kind, task, { is_customer_notified: true }, { summary: 'Customer notified' })
  return true
}

const undo: Handler<typeof taskNotices.undo> = async ({ params: { task, ticket } }, context) => {
  const { db, viewer, audit } = context
  const discipline = await demandKind(db, task, viewer)
  await lockRecord(db, taskKind(discipline), task, viewer)
  const { notice, requester } = demandCustomer(await findCustomers(db, task, viewer), ticket)
  if (!notice) throw conflict(`${requester} was neither sent a message nor skipped.`)
  if (notice.state === 'sent') throw conflict('This message was sent. Cancel its email in the ticket.')
  if (notice.sent_in !== null) throw conflict(`${requester} was sent a message in #${notice.sent_in}.`)
  await db.deleteFrom('task_notices').where('task_id', '=', task).where('ticket_id', '=', ticket).execute()
  audit({ target: taskKind(discipline).type, id: task, after: { not_skipped: `#${ticket} ${requester}` } })
  await clearFlag(context, discipline, task)
  return { message: `${requester} is no longer skipped.`, is_notified: false }
}

/** A task with a customer who was neither sent a message nor skipped is not set as notified. */
async function clearFlag(writing: Writing, discipline: DisciplineName, task: number): Promise<void> {
  const kind = taskKind(discipline)
  const values = { is_customer_notified: false }
  writing.changed(liveName(kind), [task])
  if (await isVisible(writing.db, kind, task, writing.viewer))
    await changeRecord(writing, kind, task, values, { summary: 'Customer no longer notified' })
  // An admin who cancels the email can lack the task's product.
  else await touchRecords(writing, kind, task, values)
}

/** Forgets the message whose email was canceled, and that it covered other tickets of the same requester. */
async function forgetCanceled(writing: ContinuableWriting, mail_id: number): Promise<void> {
  const { db } = writing
  const { rows } = await sql<{ id: number; discipline: DisciplineName; message_id: number }>`
    select k.id, k.discipline, n.message_id from tasks k join task_notices n on n.task_id = k.id
      join ticket_messages m on m.id = n.message_id
    where n.state = 'sent' and m.mail_id = ${mail_id} and m.resends_mail_id is null
    order by k.id for update of k`.execute(db)
  for (const { id, discipline, message_id } of rows) {
    await db.deleteFrom('task_notices').where('message_id', '=', message_id).execute()
    await clearFlag(writing, discipline, id)
  }
}

export function taskNoticeRoutes(app: App): void {
  app.mail.control.onCancel('ticket', forgetCanceled)
  implement(app, taskNotices.show, show)
  implement(app, taskNotices.preview, preview)
  implement(app, taskNotices.send, send)
  implement(app, taskNotices.skip, skip)
  implement(app, taskNotices.undo, undo)
}
