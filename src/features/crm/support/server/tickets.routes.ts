import { sql } from 'kysely'
import { can } from '#shared/access.ts'
import { csvOf } from '#shared/field.ts'
import { tickets } from '#features/crm/support/contract.ts'
import { ticketCount } from '#features/crm/support/ticket-count.contract.ts'
import type { NewTicket } from '#features/crm/support/new-ticket.contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { inDevelopment, waitingOnCustomer } from '#features/crm/support/rules.ts'
import { storageUrls } from '#features/crm/support/server/conversation.queries.ts'
import {
  allTickets,
  countTickets,
  findTickets,
  findTicketsOfUser,
  getTicket,
  getTicketRow,
  searchTickets,
  ticketKind,
} from '#features/crm/support/server/support.queries.ts'
import { findUnread } from '#features/crm/support/server/unread.queries.ts'
import { organizationKind } from '#features/crm/organizations/server/organizations.queries.ts'
import { createTaskOfTicket } from '#features/tasks/tasks/server/task-of-ticket.queries.ts'
import { registerSupportLists } from '#features/crm/support/server/lists.ts'
import { answerTicket, demandFilled, findReplyTakes } from '#features/crm/support/server/replies/answer.ts'
import {
  assignByRule,
  reassignFromAbsent,
} from '#features/crm/support/server/rules/assignment-rules.queries.ts'
import { confirmReceipt } from '#features/crm/support/server/replies/receipts.ts'
import {
  demandOrganization,
  isOfOtherWords,
  resolveRequester,
} from '#features/crm/support/server/requesters.ts'
import { sortByRules } from '#features/crm/support/server/rules/ticket-rules.queries.ts'
import { demandAssignee, demandTags, notifyAssignee } from '#features/crm/support/server/assignment.ts'
import { addMessage, changeTicket, markUnreadForStaff, unread } from '#features/crm/support/server/changes.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { cleanHtml, imagesIn, textOf } from '#server/html/html-clean.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { linksFor } from '#server/files/signed-links.ts'
import { replyCsv } from '#server/record/list.ts'
import { createRecord, getRecord, lockRecord, trashRecords } from '#server/record/record.ts'
import { findOnlyProduct } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

const exportTickets: Handler<typeof tickets.export> = ({ query }, { app, db, viewer, reply }) =>
  replyCsv(app.pool, reply, 'tickets.csv', allTickets(db, query, viewer), csvOf(ticketFields))

const mostOfUser = 20

const listOfUser: Handler<typeof tickets.ofUser> = ({ params: { id } }, { db, viewer }) =>
  findTicketsOfUser(db, id, viewer, mostOfUser)

const searchForPalette: Handler<typeof tickets.search> = async ({ query }, { db, viewer }) => ({
  data: await searchTickets(db, query.q, viewer),
})

const listRequesters: Handler<typeof tickets.requesters> = async ({ query }, { db, viewer }) => {
  await getRecord(db, organizationKind, query.org_id, viewer)
  const { rows } = await sql<{
    id: number
    name: string
  }>`select id, name from customer_users
      where organization_id = ${query.org_id} and deleted_at is null order by is_master desc, 2, 1 limit 500`.execute(
    db,
  )
  return { data: rows }
}

const showTicket: Handler<typeof tickets.show> = async ({ params: { id } }, context) => {
  const data = await getTicket(context.db, id, undefined, context.viewer, linksFor(context))
  return {
    data,
    is_on: context.app.mail.isOn,
    reply_assigns: await findReplyTakes(context.db, id, data.is_own),
    sender: await findReplySender(context, id),
    ...storageUrls,
  }
}

/** Returns what the requester of a ticket sees of the sender of the viewer's reply; null if they can't reply. */
async function findReplySender(
  { app, db, viewer }: Pick<Parameters<typeof showTicket>[1], 'app' | 'db' | 'viewer'>,
  id: number,
) {
  if (!can(viewer, 'all_tickets_view')) return null
  const product_id = await findOnlyProduct(db, ticketKind, id)
  const sender = await app.mail.senderOf(db, { product_id, staff_id: viewer.id })
  return { ...sender, has_product: product_id !== undefined }
}

const removeTicket: Handler<typeof tickets.remove> = async ({ params }, context) => {
  const operation = await trashRecords(context, ticketKind, [params.id])
  return { message: `${operation.summary}.`, operation }
}

const createTicket: Handler<typeof tickets.create> = async ({ body }, context) => {
  const { app, db, viewer, changed } = context
  const asked = await resolveRequester(context, body)
  const message = cleanHtml(body.message, 'message')
  if (textOf(message) === '' && !imagesIn(message).length) throw invalid('message', 'This field is required.')
  const isToCustomer = body.to_customer === 1
  if (isToCustomer && asked.requester.staff_id !== null)
    throw invalid('user_id', 'Choose the user who gets your message, or enter an email address.')
  if (isToCustomer && asked.requester.customer_user_id === null && asked.requester.sender_email === null)
    throw invalid('sender_email', 'Enter the address that your message goes to.')
  const id = await createRecord(
    context,
    ticketKind,
    {
      title: body.title,
      category: body.category,
      organization_id: asked.organization_id,
      delivery_date: body.delivery_date,
    },
    { ...asked.requester, created_by: viewer.id },
  )
  const { assignee_id } = await sortByRules(context, id, message)
  const why = asked.isOfOther ? isOfOtherWords : ''
  if (isToCustomer) {
    await writeToCustomer(app, context, id, { message, file_ids: body.file_ids })
    return { message: `Ticket created.${why}`, data: await getTicketRow(db, id, viewer) }
  }
  const { sender_phone, ...author } = asked.requester
  const values = { ticket_id: id, sent_by_admin: false, ...author, message }
  const { message_id } = await addMessage(app, context, values, body.file_ids)
  // A ticket filed for a customer is not unread, because the admin user who filed it has read it.
  if (author.staff_id !== null)
    await touchRecords({ db }, ticketKind, id, unread(message_id), { keepsVersion: true })
  await markUnreadForStaff(db, id, viewer.id)
  await assignByRule(app, context, id, assignee_id)
  if (author.staff_id === null) await confirmReceipt(app, context, id)
  changed('ticket', [id])
  return { message: `Ticket created.${why}`, data: await getTicketRow(db, id, viewer) }
}

/**
 * Sends the first message of a ticket to its requester, for whose answer the ticket then waits.
 * @throws HttpError 422 if the requester can't get emails.
 */
async function writeToCustomer(
  app: App,
  context: WriteContext<typeof tickets.create>,
  id: number,
  answer: Pick<NewTicket, 'file_ids'> & { message: string },
): Promise<void> {
  demandFilled(answer.message)
  const held = await lockRecord(context.db, ticketKind, id, context.viewer)
  const { mail_id } = await answerTicket(app, context, held, { ...answer, status: waitingOnCustomer })
  if (mail_id === null) throw invalid('user_id', 'This user is banned or has no email address.')
}

const updateTicket: Handler<typeof tickets.update> = async (
  { params: { id }, body: { version, base, ...values } },
  context,
) => {
  const { app } = context
  if (values.organization_id) await demandOrganization(context, values.organization_id, 'organization_id')
  if (values.organization_id !== undefined) {
    await lockRecord(context.db, ticketKind, id, context.viewer)
    await demandOfRequester(context.db, id, values.organization_id)
  }
  if (values.tag_ids) await demandTags(context.db, values.tag_ids, 'tag_ids')
  const before = values.assignee_id ? await lockRecord(context.db, ticketKind, id, context.viewer) : undefined
  if (values.assignee_id) await demandAssignee(context.db, id, values.assignee_id)
  const reply = await changeTicket(app, context, id, values, 'Ticket saved.', 'Edited', { version, base })
  if (before && reply.data.assignee_id !== before['assignee_id'])
    await notifyAssignee(app, context, values.assignee_id!, [id])
  return reply
}

const changeStatus: Handler<typeof tickets.changeStatus> = async (
  { params: { ticket, status } },
  context,
) => {
  const { app } = context
  const { name } =
    (await context.db
      .selectFrom('ticket_statuses')
      .select('name')
      .where('id', '=', status)
      .executeTakeFirst()) ?? {}
  if (name === undefined) throw invalid('status', 'This status doesn’t exist.')
  return changeTicket(app, context, ticket, { status }, `Status changed to ${name}.`, `Status set to ${name}`)
}

const changeDeliveryDate: Handler<typeof tickets.changeDeliveryDate> = (
  { params, body: { delivery_date } },
  context,
) =>
  changeTicket(
    context.app,
    context,
    params.ticket,
    { delivery_date },
    delivery_date === null ? 'Delivery date cleared.' : 'Delivery date updated.',
    'Delivery date changed',
  )

const moveToDevelopment: Handler<typeof tickets.inDevelopment> = async (
  { params: { ticket: id } },
  context,
) => {
  const { app, db, viewer, audit } = context
  const held = await lockRecord(db, ticketKind, id, viewer)
  const there = await db
    .selectFrom('tasks')
    .select('id')
    .where('ticket_id', '=', id)
    .where('discipline', '=', 'development')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
  const task_id = there?.id ?? (await createTaskOfTicket(context, id, held))
  if (!there) audit({ target: 'ticket', id, after: { task: task_id } })
  const done = await changeTicket(
    app,
    context,
    id,
    { status: inDevelopment },
    there ? 'Moved to development. The ticket already has a task.' : 'Moved to development.',
    'Moved to development',
  )
  return { ...done, task_id, created: !there }
}

/** An undo or a redo can reopen a ticket, or return it to an assignee who can't open it. */
const afterUndo =
  (app: App): NonNullable<typeof ticketKind.undo>['after'] =>
  async (writing, id, change) => {
    await ticketKind.undo?.after?.(writing, id, change)
    if (['status', 'assignee_id', 'deleted_at'].some((column) => column in change.to))
      await reassignFromAbsent(app, writing, [id])
  }

export function ticketRoutes(app: App): void {
  app.records.register({ ...ticketKind, undo: { ...ticketKind.undo, after: afterUndo(app) } })
  registerSupportLists(app)
  implement(app, tickets.list, ({ query }, { db, viewer }) => findTickets(db, query, viewer))
  implement(app, ticketCount.show, ({ query }, { db, viewer, reply }) =>
    countTickets(app.pool, reply, db, query, viewer),
  )
  implement(app, tickets.export, exportTickets)
  implement(app, tickets.search, searchForPalette)
  implement(app, tickets.ofUser, listOfUser)
  implement(app, tickets.unread, (_input, { db, viewer }) => findUnread(db, viewer))
  implement(app, tickets.requesters, listRequesters)
  implement(app, tickets.show, showTicket)
  implement(app, tickets.remove, removeTicket)
  implement(app, tickets.create, createTicket)
  implement(app, tickets.update, updateTicket)
  implement(app, tickets.changeStatus, changeStatus)
  implement(app, tickets.changeDeliveryDate, changeDeliveryDate)
  implement(app, tickets.inDevelopment, moveToDevelopment)
}

/** @throws HttpError 422 if the requester is a customer user who belongs to another organization. */
async function demandOfRequester(db: Db, id: number, organization_id: number | null): Promise<void> {
  const user = await db
    .selectFrom('tickets as t')
    .innerJoin('customer_users as u', 'u.id', 't.customer_user_id')
    .select('u.organization_id')
    .where('t.id', '=', id)
    .executeTakeFirst()
  if (user && user.organization_id !== organization_id)
    throw invalid('organization_id', 'The requester belongs to another organization.')
}
