import { sql } from 'kysely'
import { can } from '#shared/access.ts'
import { csvOf } from '#shared/field.ts'
import { isAddress } from '#shared/recipients.ts'
import { replySent, callBackSeconds, support } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { inDevelopment, openStatus, restingStatuses, seesTicket } from '#features/crm/support/rules.ts'
import {
  allTickets,
  findBoard,
  findComments,
  findTickets,
  findUnread,
  findStaffWithAccess,
  getTicket,
  getTicketRow,
  isSaid,
  searchTickets,
  storageUrls,
  ticketKind,
} from '#features/crm/support/server/support.queries.ts'
import { registerSupportLists } from '#features/crm/support/server/lists.ts'
import {
  customerUserKind,
  organizationKind,
} from '#features/crm/organizations/server/organizations.queries.ts'
import { activityTypes, disciplineOf } from '#features/tasks/tasks/rules.ts'
import { addActivity } from '#features/tasks/tasks/server/activity.queries.ts'
import { taskKind } from '#features/tasks/tasks/server/tasks.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, HttpError, invalid, notAllowed, notFound } from '#server/http/errors.ts'
import { Html, html, mailPage, paragraphs } from '#server/html.ts'
import { cleanHtml, forOutside, imagesIn, textOf } from '#server/html-clean.ts'
import { implement, type App, type WriteContext } from '#server/http/implement.ts'
import { readReplyTokens } from '#server/mail.ts'
import { tellMentioned } from '#server/mentions.ts'
import { attachFiles, linksFor, setInlineImages } from '#server/record-files.ts'
import { replyCsv } from '#server/record/list.ts'
import {
  changeRecord,
  createRecord,
  getRecord,
  isVisible,
  lockRecord,
  trashRecords,
} from '#server/record/record.ts'
import type { ContinuableWriting, Row } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'
import { engineOf, undoOrRedo } from '#server/record/undo.ts'

type Writing = WriteContext<typeof support.changeStatus>

export function supportRoutes(app: App): void {
  app.records.register(ticketKind)
  registerSupportLists(app)
  const ticketOf = (db: Db, id: number) =>
    db.selectFrom('tickets').select(['id', 'staff_id']).where('id', '=', id).executeTakeFirst()
  app.files.registerReadCheck('ticket_message', async (db, id, viewer) => {
    const message = await db
      .selectFrom('ticket_messages')
      .select('ticket_id')
      .where('id', '=', id)
      .executeTakeFirst()
    const ticket = message && (await ticketOf(db, message.ticket_id))
    return ticket !== undefined && seesTicket(viewer, ticket) && isVisible(db, ticketKind, ticket.id, viewer)
  })
  app.mail.onCancel('ticket', (writing, mail_id) => undoReply(writing, app, mail_id))

  implement(app, support.list, ({ query }, { db, viewer }) => findTickets(db, query, viewer))
  implement(app, support.export, ({ query }, { db, viewer, reply }) =>
    replyCsv(app.pool, reply, 'tickets.csv', allTickets(db, query, viewer), csvOf(ticketFields)),
  )
  implement(app, support.search, async ({ query }, { db, viewer }) => ({
    data: await searchTickets(db, query.q, viewer),
  }))
  implement(app, support.board, async (_input, { db, viewer }) => ({ data: await findBoard(db, viewer) }))
  implement(app, support.unread, (_input, { db, viewer }) => findUnread(db, viewer))
  implement(app, support.requests, ({ query }, { db, viewer }) => findTickets(db, query, viewer, true))
  implement(app, support.requesters, async ({ query }, { db, viewer }) => {
    await getRecord(db, organizationKind, query.org_id, viewer)
    const { rows } = await sql<{
      id: number
      name: string
    }>`select id, name from customer_users
      where organization_id = ${query.org_id} and deleted_at is null order by is_master desc, 2, 1 limit 500`.execute(
      db,
    )
    return { data: rows }
  })
  implement(app, support.taggable, async ({ params }, { db, viewer }) => {
    await getRecord(db, ticketKind, params.id, viewer)
    return { data: (await findStaffWithAccess(db, params.id)).map(({ id, name }) => ({ id, name })) }
  })

  implement(app, support.show, async ({ params }, context) => ({
    data: await getTicket(context.db, params.id, undefined, context.viewer, linksFor(context)),
    ...storageUrls,
  }))
  implement(app, support.request, async ({ params: { id, org } }, context) => {
    const data = await getTicket(context.db, id, org, context.viewer, linksFor(context)).catch(
      (error: unknown) => {
        throw error instanceof HttpError && error.status === 403 ? notFound('Ticket not found.') : error
      },
    )
    if (!data.is_own) throw notFound('Ticket not found.')
    return { data, ...storageUrls }
  })

  implement(app, support.getTicket, async ({ params: { id, org } }, context) => {
    const { db, viewer, changed, record } = context
    record({ target: 'ticket', id })
    const data = await getTicket(db, id, org, viewer, linksFor(context))
    const last = data.messages.at(-1)?.id
    if (last !== undefined && (data.read_to ?? 0) < last)
      await db
        .insertInto('ticket_reads')
        .values({ ticket_id: id, staff_id: viewer.id, message_id: last })
        .onConflict((on) =>
          on
            .columns(['ticket_id', 'staff_id'])
            .doUpdateSet({ message_id: last, read_at: sql<string>`now()` }),
        )
        .execute()
    // A visit by the requester does not mark the ticket as read, and a message that is missing from the
    // response stays unread.
    if (data.unread && last !== undefined) {
      const isUnread = sql`r.id = ${id} and r.unread_message_id <= ${last} and r.staff_id is distinct from ${viewer.id}`
      const read = await touchRecords({ db, changed }, ticketKind, isUnread, unread(null), {
        keepsVersion: true,
      })
      if (read.length) return { data: { ...data, unread: false }, ...storageUrls }
    }
    return { data, ...storageUrls }
  })

  implement(app, support.remove, async ({ params }, context) => {
    const operation = await trashRecords(context, ticketKind, [params.id])
    return { message: `${operation.summary}.`, operation }
  })

  implement(app, support.create, async ({ body }, context) => {
    const { db, viewer, changed } = context
    const asked = await resolveRequester(context, body)
    const message = cleanHtml(body.message, 'message')
    if (textOf(message) === '' && !imagesIn(message).length)
      throw invalid('message', 'This field is required.')
    const id = await createRecord(
      context,
      ticketKind,
      {
        title: body.title,
        category: body.category,
        organization_id: asked.organization_id,
        delivery_date: body.delivery_date,
      },
      { customer_user_id: asked.customer_user_id, staff_id: asked.staff_id, created_by: viewer.id },
    )
    const { id: message_id } = await db
      .insertInto('ticket_messages')
      .values({
        ticket_id: id,
        sent_by_admin: false,
        staff_id: asked.staff_id,
        customer_user_id: asked.customer_user_id,
        message,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await setInlineImages(app.files, context, { type: 'ticket_message', id: message_id }, imagesIn(message))
    await attachFiles(
      app.files,
      context,
      { files: context.files.attachment ?? [], file_ids: body.file_ids },
      { type: 'ticket_message', id: message_id },
    )
    // A ticket filed for a customer is not unread, because the admin user who filed it has read it.
    if (asked.staff_id !== null)
      await touchRecords({ db }, ticketKind, id, unread(message_id), { keepsVersion: true })
    changed('ticket', [id])
    return { message: 'Ticket created.', data: await getTicketRow(db, id, viewer) }
  })

  /** Notifies the ticket's owner separately, because their request page receives no ticket events. */
  const notifyOwner = (
    { viewer, afterCommit }: Pick<Writing, 'viewer' | 'afterCommit'>,
    { staff_id }: Row,
  ) => {
    if (typeof staff_id === 'number' && staff_id !== viewer.id)
      afterCommit(() => app.live.publish(`private-staff.${staff_id}`, 'requests', {}))
  }

  const change = async (
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
    notifyOwner(context, after)
    return { message, data: await current(), operation }
  }

  implement(app, support.update, async ({ params: { id }, body: { version, base, ...values } }, context) => {
    if (values.organization_id) await demandOrganization(context, values.organization_id, 'organization_id')
    if (values.organization_id !== undefined) {
      await lockRecord(context.db, ticketKind, id, context.viewer)
      await demandOfRequester(context.db, id, values.organization_id)
    }
    return change(context, id, values, 'Ticket saved.', 'Edited', { version, base })
  })
  implement(app, support.changeStatus, async ({ params: { ticket, status } }, context) => {
    const { name } =
      (await context.db
        .selectFrom('ticket_statuses')
        .select('name')
        .where('id', '=', status)
        .executeTakeFirst()) ?? {}
    if (name === undefined) throw invalid('status', 'This status doesn’t exist.')
    return change(context, ticket, { status }, `Status changed to ${name}.`, `Status set to ${name}`)
  })
  implement(app, support.changeDeliveryDate, ({ params, body: { delivery_date } }, context) =>
    change(
      context,
      params.ticket,
      { delivery_date },
      delivery_date === null ? 'Delivery date cleared.' : 'Delivery date updated.',
      'Delivery date changed',
    ),
  )

  implement(app, support.moveCard, async ({ params: { ticket }, body }, context) => {
    const held = await lockRecord(context.db, ticketKind, ticket, context.viewer)
    if (body.add_trello === 0)
      return change(context, ticket, { list_id: null }, 'Card removed from the board.', 'Removed from board')
    const stays = body.list_id === undefined && body.before === undefined && held['list_id'] !== null
    const { list_card_title, list_card_desc } = body
    if (stays)
      return change(
        context,
        ticket,
        withoutUndefined({ list_card_title, list_card_desc }),
        'Card saved.',
        'Card edited',
      )
    return change(context, ticket, await placeCard(context.db, held, body), 'Card moved.', 'Card moved')
  })

  implement(app, support.sendReply, async ({ params: { id }, body }, context) => {
    const { db, viewer, record, changed } = context
    const held = await lockRecord(db, ticketKind, id, viewer)
    if (body.org_id !== undefined && body.org_id !== ((held['organization_id'] as number | null) ?? 0))
      throw notFound('Ticket not found.')
    const message = cleanHtml(body.message, 'message')
    const text = textOf(message)
    if (text === '') throw invalid('message', 'This field is required.')
    if (body.last_message_id !== undefined) {
      const { messages } = await getTicket(db, id, undefined, viewer, linksFor(context))
      const newer = messages.filter((one) => one.id > body.last_message_id!)
      if (newer.length)
        throw conflict(
          newer.length === 1
            ? `${newer[0]!.who} sent a new message.`
            : `${newer.length} new messages arrived.`,
          { newer },
        )
    }
    const { id: message_id } = await db
      .insertInto('ticket_messages')
      .values({ ticket_id: id, sent_by_admin: true, staff_id: viewer.id, message })
      .returning('id')
      .executeTakeFirstOrThrow()
    await setInlineImages(app.files, context, { type: 'ticket_message', id: message_id }, imagesIn(message))
    const file_ids = await attachFiles(
      app.files,
      context,
      { files: context.files.attachment ?? [], file_ids: body.file_ids },
      { type: 'ticket_message', id: message_id },
    )
    const mail_id = await queueReply(context, {
      id,
      title: held['title'] as string,
      token: held['reply_token'] as string,
      message,
      text,
      file_ids,
    })
    await db.updateTable('ticket_messages').set({ mail_id }).where('id', '=', message_id).execute()
    const answered = { ...unread(null), last_message_at: sql`now()` }
    await touchRecords({ db }, ticketKind, id, answered, { keepsVersion: true })
    await db
      .insertInto('ticket_reads')
      .values({ ticket_id: id, staff_id: viewer.id, message_id })
      .onConflict((on) =>
        on.columns(['ticket_id', 'staff_id']).doUpdateSet({ message_id, read_at: sql<string>`now()` }),
      )
      .execute()
    // An explicit 0 means that there is no card yet; omitting the field changes nothing.
    const makesCard = (body.card_id === 0 || body.add_trello === 1) && held['list_id'] === null
    const card = makesCard ? await placeCard(db, held, body) : {}
    const along = {
      ...(body.status === undefined ? {} : { status: body.status }),
      ...(body.customer_feedback === undefined ? {} : { customer_feedback: body.customer_feedback === 1 }),
      ...card,
    }
    if (Object.keys(along).length) {
      const { operation } = await changeRecord(context, ticketKind, id, along, { summary: 'Replied' })
      await db
        .updateTable('ticket_messages')
        .set({ operation_id: operation?.id ?? null })
        .where('id', '=', message_id)
        .execute()
    }
    record({
      target: 'ticket',
      id,
      after: { reply: text.slice(0, 1000), ...(file_ids.length ? { files: file_ids.length } : {}) },
    })
    changed('ticket', [id])
    notifyOwner(context, held)
    if (mail_id !== null) changed('mails', [mail_id])
    return {
      message: replySent,
      data: { message_id, mail_id, card_id: makesCard || held['list_id'] !== null ? id : 0 },
    }
  })

  interface Answer {
    id: number
    title: string
    token: string
    message: string
    text: string
    file_ids: readonly number[]
  }

  /**
   * Queues the reply as an email to the requester in the ticket's email thread. Returns null if the requester
   * has no email address.
   */
  async function queueReply(
    { db, viewer }: Pick<Writing, 'db' | 'viewer'>,
    { id, title, token, message, text, file_ids }: Answer,
  ): Promise<number | null> {
    const { rows } = await sql<{
      email: string | null
      talk: string[]
    }>`select case when u.banned_at is null then coalesce(u.email, s.email, t.sender_email)::text end as email,
        array(select coalesce(m.message_id, a.message_id) from ticket_messages m left join mails a on a.id = m.mail_id
          where m.ticket_id = t.id and coalesce(m.message_id, a.message_id) is not null and a.called_off_at is null order by m.id desc limit 20) as talk
      from tickets t left join customer_users u on u.id = t.customer_user_id left join staff s on s.id = t.staff_id where t.id = ${id}`.execute(
      db,
    )
    const { email, talk } = rows[0]!
    if (email === null || !isAddress(email)) return null
    const files = file_ids.length
      ? await db
          .selectFrom('files')
          .select(['name', 'mime', 'stored_name as stored'])
          .where('id', 'in', [...file_ids])
          .orderBy('id')
          .execute()
      : []
    const heads = talk.filter((one) => /^<[^<>\s]+>$/.test(one)).toReversed()
    const subject = `Re: ${title} [#${id}]`.replaceAll(/\s+/g, ' ')
    return app.mail.queue(db, {
      kind: 'ticket-reply',
      to: [email],
      subject,
      html: mailPage(subject, [new Html(forOutside(message))]),
      text,
      record: { type: 'ticket', id },
      staff_id: viewer.id,
      reply_token: token,
      in_reply_to: heads.at(-1),
      references: heads.length ? heads : undefined,
      attachments: files,
      sendAfterSeconds: callBackSeconds,
    })
  }

  implement(app, support.resendReply, async ({ params: { ticket: id, message: message_id } }, context) => {
    const { db, viewer, record, changed } = context
    const held = await lockRecord(db, ticketKind, id, viewer)
    const { messages } = await getTicket(db, id, undefined, viewer, linksFor(context))
    const reply = messages.find((one) => one.id === message_id && one.sent_by_admin)
    if (!reply) throw notFound('Reply not found.')
    if (reply.mail && ['held', 'waiting', 'sending'].includes(reply.mail.state))
      throw conflict('This reply is still being sent.')
    const mail_id = await queueReply(context, {
      id,
      title: held['title'] as string,
      token: held['reply_token'] as string,
      message: reply.message,
      text: textOf(reply.message),
      // Inline images are part of the message text.
      file_ids: reply.attachments.filter(({ role }) => role === 'attachment').map((file) => file.id),
    })
    if (mail_id === null) throw conflict('The requester has no email address.')
    await db
      .updateTable('ticket_messages')
      .set({ mail_id, resends_mail_id: reply.mail?.id ?? null })
      .where('id', '=', message_id)
      .execute()
    record({ target: 'ticket', id, after: { resent: message_id } })
    changed('ticket', [id])
    changed('mails', [mail_id])
    return { message: 'Resending the reply.', data: { message_id, mail_id } }
  })

  implement(app, support.replyToRequest, async ({ params: { id }, body }, context) => {
    const { db, viewer, record, changed } = context
    const held = await lockRecord(db, ticketKind, id, viewer)
    if (held['staff_id'] !== viewer.id) throw notFound('Ticket not found.')
    const message = cleanHtml(body.message, 'message')
    if (textOf(message) === '' && !imagesIn(message).length)
      throw invalid('message', 'This field is required.')
    const { id: message_id } = await db
      .insertInto('ticket_messages')
      .values({ ticket_id: id, sent_by_admin: false, staff_id: viewer.id, message })
      .returning('id')
      .executeTakeFirstOrThrow()
    await setInlineImages(app.files, context, { type: 'ticket_message', id: message_id }, imagesIn(message))
    await attachFiles(
      app.files,
      context,
      { files: context.files.attachment ?? [], file_ids: body.file_ids },
      { type: 'ticket_message', id: message_id },
    )
    await recordCustomerMessage(db, id, message_id, restingStatuses.includes(held['status'] as number))
    record({ target: 'ticket', id, after: { message: textOf(message).slice(0, 1000) } })
    changed('ticket', [id])
    return { message: replySent, data: { message_id } }
  })

  implement(app, support.inDevelopment, async ({ params: { ticket: id } }, context) => {
    const { db, viewer, record } = context
    const held = await lockRecord(db, ticketKind, id, viewer)
    const there = await db
      .selectFrom('tasks')
      .select('id')
      .where('ticket_id', '=', id)
      .where('discipline', '=', 'development')
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .executeTakeFirst()
    const task_id = there?.id ?? (await makeTask(context, id, held))
    if (!there) record({ target: 'ticket', id, after: { task: task_id } })
    const done = await change(
      context,
      id,
      { status: inDevelopment },
      there ? 'Moved to development. The ticket already has a task.' : 'Moved to development.',
      'Moved to development',
    )
    return { ...done, task_id, created: !there }
  })

  async function makeTask(context: Writing, ticket_id: number, held: Row): Promise<number> {
    const { db, viewer } = context
    const organization_id = held['organization_id'] as number | null
    const { products } = disciplineOf('development')
    const { rows } = await sql<{
      product_id: number
    }>`select product_id from organization_products where organization_id = ${organization_id}
      and product_id = any(${products.filter((one) => viewer.products.includes(one))}::int[]) order by 1 limit 1`.execute(
      db,
    )
    const product_id = rows[0]?.product_id ?? products.find((one) => viewer.products.includes(one))
    if (product_id === undefined) throw notAllowed('None of your products uses development tasks.')
    const first = await db
      .selectFrom('ticket_messages')
      .select('message')
      .where('ticket_id', '=', ticket_id)
      .orderBy('id')
      .executeTakeFirst()
    const description = paragraphs(textOf(cleanHtml({ unclean: first?.message ?? '' })), undefined)
      .map(({ text }) => text)
      .join('')
    const id = await createRecord(
      context,
      taskKind('development'),
      {
        title: held['title'],
        description,
        ticket_id,
        organization_ids: organization_id === null ? [] : [organization_id],
      },
      { discipline: 'development', product_id, status: 0, created_by: viewer.id },
    )
    await addActivity(db, { task_id: id, type: activityTypes.add, created_by: viewer.id, status: 0 })
    return id
  }

  implement(app, support.comment, async ({ body }, context) => {
    const { db, viewer, record, changed } = context
    const { ticket_id, support_comment, tag_user = [] } = body
    const held = await lockRecord(db, ticketKind, ticket_id, viewer)
    const organization_id = body.organization_id || null
    const message_id = body.message_id || null
    if (organization_id !== null && organization_id !== held['organization_id'])
      throw invalid('organization_id', 'This ticket belongs to another organization.')
    if (message_id !== null) {
      const message = await db
        .selectFrom('ticket_messages')
        .select('ticket_id')
        .where('id', '=', message_id)
        .executeTakeFirst()
      if (message?.ticket_id !== ticket_id) throw invalid('message_id', 'This message doesn’t exist.')
    }
    if (body.lead_id !== undefined) {
      const lead = await db
        .selectFrom('leads')
        .select('lead_for')
        .where('lead_id', '=', body.lead_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!lead || !viewer.products.includes(lead.lead_for))
        throw invalid('lead_id', 'This lead doesn’t exist.')
    }
    const tagged = [...new Set(tag_user)]
    const people = tagged.length ? await findStaffWithAccess(db, ticket_id, tagged) : []
    if (people.length < tagged.length)
      throw invalid('tag_user', 'You can only tag staff who have access to this ticket.')
    const { id } = await db
      .insertInto('ticket_comments')
      .values({
        ticket_id,
        support_comment,
        lead_id: body.lead_id ?? null,
        organization_id,
        message_id,
        created_by: viewer.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (tagged.length)
      await db
        .insertInto('ticket_comment_tags')
        .values(tagged.map((staff_id) => ({ comment_id: id, staff_id })))
        .execute()
    const path = `/support/ticket/${ticket_id}/${(held['organization_id'] as number | null) ?? 0}`
    await tellMentioned(app, context, {
      people,
      record: { type: 'ticket', id: ticket_id },
      title: held['title'] as string,
      words: support_comment,
      path,
    })
    record({ target: 'ticket', id: ticket_id, after: { comment: support_comment } })
    changed('ticket', [ticket_id])
    return { message: 'Comment added.', data: (await findComments(db, ticket_id, id))[0]! }
  })

  implement(app, support.inbound, async ({ body }, context) => {
    const { db, record, changed, files, refusedFiles } = context
    const { address, name } = senderOf(body.from, body.name)
    if (isAutomatic(body) || address === addressOf(app.settings.mailFrom))
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
    const title = body.subject.replaceAll(/\s+/g, ' ').trim().slice(0, 300) || '(no subject)'
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
    record({
      target: 'ticket',
      id: ticket_id,
      after: known ? { message: textOfMail(body).slice(0, 1000), from: address } : { title, from: address },
    })
    changed('ticket', [ticket_id])
    const left = Object.keys(refusedFiles).length
    return {
      message: left ? `Accepted, but ${left} of its files couldn’t be saved.` : 'Received.',
      id: ticket_id,
    }
  })
}

/**
 * Reverts what a canceled reply changed on its ticket, except for what has changed again since. The message
 * disappears from the conversation along with its email; a reply that was only being resent stays and is
 * linked to its earlier email again.
 */
async function undoReply(writing: ContinuableWriting, app: App, mail_id: number): Promise<void> {
  const { db, changed } = writing
  const reply = await db
    .selectFrom('ticket_messages as m')
    .leftJoin('operations as o', 'o.id', 'm.operation_id')
    .select(['m.id', 'm.ticket_id', 'm.resends_mail_id', 'o.id as operation_id', 'o.state'])
    .where('m.mail_id', '=', mail_id)
    .executeTakeFirst()
  if (!reply) return
  const { id, ticket_id, resends_mail_id, operation_id, state } = reply
  if (resends_mail_id !== null)
    await db
      .updateTable('ticket_messages')
      .set({ mail_id: resends_mail_id, resends_mail_id: null })
      .where('id', '=', id)
      .execute()
  else {
    if (operation_id !== null && state === 'done')
      await undoOrRedo(writing, { ...engineOf(app), accessOf: () => undefined }, operation_id, 'undo')
    const last = sql`coalesce((select max(m.created_at) from ticket_messages m where m.ticket_id = r.id and ${isSaid}), r.created_at)`
    await touchRecords({ db }, ticketKind, ticket_id, { last_message_at: last }, { keepsVersion: true })
  }
  changed('ticket', [ticket_id])
}

/**
 * Updates a ticket after a message from the requester: marks it as unread, clears the flag for requested
 * feedback, and reopens it if `opensAgain` is set.
 */
async function recordCustomerMessage(
  db: Db,
  ticket_id: number,
  message_id: number,
  opensAgain: boolean,
): Promise<void> {
  const received = { ...unread(message_id), last_message_at: sql`now()`, customer_feedback: false }
  const values = opensAgain ? { ...received, status: openStatus } : received
  await touchRecords({ db }, ticketKind, ticket_id, values, { keepsVersion: !opensAgain })
}

/** The first message that no admin user has read. */
const unread = (message_id: number | null) => ({ unread_message_id: message_id })

const textOfMail = ({ text, html: page }: { text: string; html: string }) =>
  text.trim() || page.replaceAll(/<[^>]*>/g, ' ').trim()

/** @throws HttpError 422 on the field if the organization doesn't exist for the viewer. */
async function demandOrganization(
  { db, viewer }: Pick<Writing, 'db' | 'viewer'>,
  id: number,
  field: string,
): Promise<void> {
  if (!(await isVisible(db, organizationKind, id, viewer)))
    throw invalid(field, 'This organization doesn’t exist.')
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

const withoutUndefined = (values: Row): Row =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/**
 * Determines the requester of a new ticket.
 * @throws HttpError 403 if the viewer doesn't have permission to file it for a customer, 422 if the IDs do
 * not match.
 */
async function resolveRequester(
  { db, viewer }: Pick<Writing, 'db' | 'viewer'>,
  { org_id = 0, user_id = 0 }: { org_id?: number | undefined; user_id?: number | undefined },
) {
  if (org_id !== 0) await demandOrganization({ db, viewer }, org_id, 'org_id')
  if (user_id === 0)
    return { organization_id: org_id === 0 ? null : org_id, customer_user_id: null, staff_id: viewer.id }
  if (!can(viewer, 'all_tickets_view')) throw notAllowed('You can only create requests for yourself.')
  const user = (await isVisible(db, customerUserKind, user_id, viewer))
    ? await db
        .selectFrom('customer_users')
        .select('organization_id')
        .where('id', '=', user_id)
        .executeTakeFirst()
    : undefined
  if (!user || (org_id !== 0 && user.organization_id !== org_id))
    throw invalid('user_id', 'This user doesn’t exist in this organization.')
  return { organization_id: user.organization_id, customer_user_id: user_id, staff_id: null }
}

interface Card {
  list_id?: number | undefined
  before?: number | undefined
  list_card_title?: string | undefined
  list_card_desc?: string | undefined
}

/** If the positions of two cards are closer together than this, the cards in the list are renumbered. */
const smallestGap = 1e-6

/**
 * Returns the columns that place a ticket's card before another one or, by default, at the end of its list. A
 * ticket without a list is placed in the first list unless a list is given.
 */
async function placeCard(
  db: Db,
  held: Row,
  { list_id, before = 0, list_card_title, list_card_desc }: Card,
): Promise<Row> {
  const lists = await db.selectFrom('board_lists').select('id').orderBy('position').orderBy('name').execute()
  const list = list_id ?? (held['list_id'] as number | null) ?? lists[0]?.id
  if (list === undefined || !lists.some(({ id }) => id === list))
    throw invalid('list_id', 'This list doesn’t exist.')
  // Lock the list so that two users can't place cards in it at the same time.
  await sql`select pg_advisory_xact_lock(hashtext(${`board list ${list}`}))`.execute(db)
  const place = async () => {
    const { rows } = await sql<{
      place: number
      gap: number | null
    }>`select case when ${before} = 0 or b.id is null
      then coalesce((select max(card_position) from tickets where list_id = ${list} and deleted_at is null), 0) + 1
      else (b.card_position + coalesce((select max(card_position) from tickets where list_id = ${list} and deleted_at is null and card_position < b.card_position
        and id <> ${held['id']}), b.card_position - 2)) / 2 end as place,
      b.card_position - (select max(card_position) from tickets where list_id = ${list} and deleted_at is null and card_position < b.card_position
        and id <> ${held['id']}) as gap
    from (select 1) one left join tickets b on b.id = ${before} and b.list_id = ${list}`.execute(db)
    return rows[0]!
  }
  let found = await place()
  if (found.gap !== null && found.gap < smallestGap) {
    const isInList = sql`r.list_id = ${list} and r.deleted_at is null`
    const position = sql`(select n.place from (select t.id, row_number() over (order by t.card_position, t.id) as place
      from tickets t where t.list_id = ${list} and t.deleted_at is null) n where n.id = r.id)`
    await touchRecords({ db }, ticketKind, isInList, { card_position: position }, { keepsVersion: true })
    found = await place()
  }
  return {
    list_id: list,
    card_position: found.place,
    list_card_title: list_card_title ?? (held['list_card_title'] || held['title']),
    ...(list_card_desc === undefined ? {} : { list_card_desc }),
  }
}

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
  (/<([^<>\s]+)>\s*$/.exec(from ?? '')?.[1] ?? from ?? '').trim().toLowerCase()

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
  return { address, name: name || before.slice(0, 200) }
}

const isAutomatic = ({ auto_submitted, precedence }: { auto_submitted: string; precedence: string }) =>
  (auto_submitted !== '' && auto_submitted.toLowerCase() !== 'no') ||
  /bulk|junk|list|auto_reply/i.test(precedence)
