import type { FastifyReply } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import type pg from 'pg'
import type { Viewer } from '#shared/endpoint.ts'
import { mostCounted } from '#shared/page.ts'
import { columnsOf, referencesOf, selectOf } from '#shared/field.ts'
import {
  type Ticket,
  type TicketFilters,
  type TicketRow,
  ticketsPerPage,
} from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { findForwards } from '#features/crm/support/server/replies/forwards.queries.ts'
import { findKeptCc } from '#features/crm/support/server/replies/kept-cc.queries.ts'
import { describeReplyUndo } from '#features/crm/support/server/replies/reply-undo.ts'
import { patchOfTicket } from '#features/crm/support/server/bulk-changes.ts'
import {
  findComments,
  findMessages,
  pictureAddress,
} from '#features/crm/support/server/conversation.queries.ts'
import { incidentErrors, noteUndoOnIncidents } from '#features/crm/support/server/incidents/incident-links.ts'
import { matching, ofProducts } from '#features/crm/support/server/filters.ts'
import { countFound, wordSearchOf } from '#features/crm/support/server/count-found.queries.ts'
import { numberIn } from '#features/crm/support/server/search-sql.ts'
import { noteRequester } from '#features/crm/support/server/requester-names.ts'
import { findTargets } from '#features/crm/support/server/targets/ticket-targets.ts'
import {
  joins,
  rowColumns,
  selectRows,
  withWords,
  type SelectedRow,
} from '#features/crm/support/server/ticket-rows.ts'
import { seesAllOrganizations } from '#features/crm/organizations/server/product-sets.queries.ts'
import { deletesTicket, seesTicket, settledStatuses } from '#features/crm/support/rules.ts'
import { datesOf, statusName, toneOf } from '#features/tasks/tasks/rules.ts'
import type { Db } from '#server/db/db.ts'
import { queryWhileAwaited } from '#server/http/awaited.ts'
import { notAllowed, notFound } from '#server/http/errors.ts'
import { findOwnAddresses } from '#server/inbound/own-addresses.ts'
import type { Links } from '#server/files/signed-links.ts'
import { stateFrom } from '#server/record/cards.ts'
import { findRowsAndCount } from '#server/record/counted.ts'
import { recordKind } from '#server/record/rows.ts'

/** SQL for the ID of a ticket and of those merged into it. */
const withMerged = (id: number) =>
  sql`(select d.id from tickets d where d.id = ${id} or d.merged_into = ${id})`

export const ticketKind = recordKind({
  type: 'ticket',
  table: 'tickets',
  name: 'r.title',
  state: stateFrom('ticket_statuses', 'status'),
  page: '/support/ticket/$id/0',
  columns: columnsOf(ticketFields),
  references: referencesOf(ticketFields),
  extraColumns: { staff_id: 'r.staff_id', reply_token: 'r.reply_token', created_by: 'r.created_by' },
  // Tags that have since been removed from the list are not restored.
  links: {
    tag_ids: { table: 'ticket_tag_links', own: 'ticket_id', other: 'tag_id', existingIn: 'ticket_tags' },
  },
  visibility: {
    products: {
      of: 'case when r.organization_id is not null then array(select p.product_id from organization_products p where p.organization_id = r.organization_id) end',
      movedBy: ['organization_id'],
    },
    scope: (viewer) => ofProducts('r', viewer),
    belongsTo: { organization: (ids) => sql`r.organization_id in (${ids})` },
  },
  history: { relatedIds: withMerged, unaudited: ['card_position', 'target_due_at'] },
  mergedInto: 'merged_into',
  // Besides the tickets that the user is assigned, those that the user opened: support's replies need a recipient.
  openWork: {
    columns: ['staff_id', 'assignee_id'],
    access: { staff_id: 'support_view' },
    kept: ['staff_id'],
    open: sql`deleted_at is null and status not in (${sql.join(settledStatuses)})`,
  },
  keyTaken: incidentErrors,
  bulk: { patchOf: patchOfTicket },
  undo: {
    describe: describeReplyUndo,
    // Many tickets can have the same title.
    skipped: ({ id, name, why }) => `#${id} ${name}: ${why ?? 'changed since then'}`,
    after: async (writing, id, change) => {
      await noteUndoOnIncidents(writing, id, change)
      await noteRequester(writing, id, change)
    },
  },
  authorize: (act, row, viewer) => {
    if (act === 'remove' && !deletesTicket(viewer, row))
      throw notAllowed('Only admins and the requester can move this ticket to trash.')
  },
})

const sorts = {
  last_message_at: 't.last_message_at',
  id: 't.id',
  title: 't.search',
  status: 't.status',
  priority: 't.priority',
  category: 't.category',
  delivery_date: 't.delivery_date',
  target_due_at: 't.target_due_at',
}
function order({ column, direction }: Pick<TicketFilters, 'column' | 'direction'>) {
  const nulls = column === 'delivery_date' || column === 'target_due_at' ? 'nulls last' : ''
  return sql.raw(`${sorts[column]} ${direction} ${nulls}, t.id ${direction}`)
}

type Listed = Partial<TicketFilters> & Pick<TicketFilters, 'page' | 'column' | 'direction'>

/** A page is counted up to the cap only if the request allows it, and if the cap covers the page. */
const isCappable = (count: 'exact' | 'capped', { page }: Listed) =>
  count === 'capped' && page * ticketsPerPage <= mostCounted

/** Returns a page of tickets that match the filters; `own` limits them to the viewer's own requests. */
export async function findTickets(
  db: Db,
  { count = 'exact', ...filters }: Listed & { count?: 'exact' | 'capped' },
  viewer: Viewer,
  own = false,
) {
  const found = isCappable(count, filters) ? await countFound(db, filters, viewer) : undefined
  const words = found?.isCommon ? 'each' : 'found'
  // Select the page before looking up names.
  const page = sql<SelectedRow>`${selectRows(
    viewer,
    sql`(select t.* from tickets t where ${matching(filters, viewer, own, true, words)} order by ${order(filters)}
      limit ${ticketsPerPage} offset ${(filters.page - 1) * ticketsPerPage})`,
  )} order by ${order(filters)}`.compile(db)
  const [rows, { total }] =
    found?.total === undefined
      ? await findRowsAndCount(db, page, countOf(matching(filters, viewer, own)).compile(db))
      : [(await db.executeQuery(page)).rows, { total: found.total }]
  return {
    data: rows.map(withWords),
    total,
    ...(found?.isCapped ? { total_is_capped: true as const } : {}),
    per_page: ticketsPerPage,
  }
}

const countOf = (where: RawBuilder<unknown>) =>
  sql<{ total: number }>`select count(*) as total from tickets t where ${where}`

/** Counts all matching tickets. The statement is canceled if the reply is no longer awaited: a search can read most tickets. */
export async function countTickets(
  pool: pg.Pool,
  reply: FastifyReply,
  db: Db,
  filters: Partial<TicketFilters>,
  reader: Viewer,
): Promise<{ total: number }> {
  const viewer = { ...reader, seesAllOrganizations: await seesAllOrganizations(db, reader) }
  const counting = countOf(matching(filters, viewer)).compile(db)
  const [found] = await queryWhileAwaited<{ total: number }>(pool, reply, counting.sql, counting.parameters)
  return found!
}

/** Compiles the query that selects all matching tickets for export. */
export const allTickets = (db: Db, filters: TicketFilters, viewer: Viewer) =>
  sql<
    TicketRow & { status_name: string; category_name: string; tags: string }
  >`select ${rowColumns}, st.name as status_name, ct.name as category_name,
      (select string_agg(g.name, ', ' order by g.name) from ticket_tag_links k join ticket_tags g on g.id = k.tag_id where k.ticket_id = t.id) as tags
    from tickets t ${joins} join ticket_statuses st on st.id = t.status join ticket_categories ct on ct.id = t.category
    where ${matching(filters, viewer)} order by ${order(filters)}`.compile(db)

const mostFound = 10
/** Finds tickets: the one with the typed number first, then those with the latest messages. */
export async function searchTickets(db: Db, q: string, viewer: Viewer): Promise<TicketRow[]> {
  if (q === '') return []
  const found = matching({ search: q }, viewer, false, true, await wordSearchOf(db, q, viewer))
  const number = numberIn(q)
  if (number === undefined) return findLatest(db, viewer, found, mostFound)
  const [meant, others] = await Promise.all([
    findLatest(db, viewer, sql`${found} and t.id = ${number}`, 1),
    findLatest(db, viewer, sql`${found} and t.id <> ${number}`, mostFound),
  ])
  return [...meant, ...others].slice(0, mostFound)
}

/** Returns the tickets `t` that meet a condition, the latest message first. */
async function findLatest(
  db: Db,
  viewer: Viewer,
  where: RawBuilder<unknown>,
  most: number,
): Promise<TicketRow[]> {
  const { rows } = await sql<SelectedRow>`${selectRows(
    viewer,
    sql`(select t.* from tickets t where ${where} order by t.last_message_at desc, t.id desc limit ${most})`,
  )} order by t.last_message_at desc, t.id desc`.execute(db)
  return rows.map(withWords)
}

/**
 * Returns an organization's tickets, the latest message first: those that are neither resolved nor closed, the
 * last ones that are, and the number of both.
 */
export async function findTicketsOfOrganization(
  db: Db,
  organization: number,
  viewer: Viewer,
  most: { open: number; settled: number },
) {
  const own = matching({ organization }, viewer)
  const settled = sql`t.status in (${sql.join(settledStatuses)})`
  const [tickets, settled_tickets, { rows }] = await Promise.all([
    findLatest(db, viewer, sql`${own} and not ${settled}`, most.open),
    findLatest(db, viewer, sql`${own} and ${settled}`, most.settled),
    sql<{ count: number }>`select count(*) as count from tickets t where ${own}`.execute(db),
  ])
  return { tickets, settled_tickets, ticket_count: rows[0]!.count }
}

/** Returns the tickets that a customer user opened, and how many there are in all and open. */
export async function findTicketsOfUser(db: Db, user: number, viewer: Viewer, most: number) {
  const own = sql`t.customer_user_id = ${user} and ${matching({}, viewer)}`
  const [data, counts] = await Promise.all([
    findLatest(db, viewer, own, most),
    sql<{ total: number; open: number }>`select count(*) as total,
      count(*) filter (where t.status not in (${sql.join(settledStatuses)})) as open
      from tickets t where ${own}`.execute(db),
  ])
  return { data, ...counts.rows[0]! }
}

/**
 * Returns a ticket's row.
 * @throws HttpError 404
 */
export async function getTicketRow(db: Db, id: number, viewer: Viewer): Promise<TicketRow> {
  const { rows } =
    await sql<SelectedRow>`${selectRows(viewer, sql`tickets`)} where t.id = ${id} and t.deleted_at is null and ${ofProducts('t', viewer)}`.execute(
      db,
    )
  if (!rows[0]) throw notFound('Ticket not found.')
  return withWords(rows[0])
}

type TicketDetailRow = Pick<Ticket, 'sender_name' | 'sender_phone' | 'sender_email'> & {
  merged_into: number | null
  unique_folder: string
  requester_email: string | null
  requester_banned: boolean
  requester_phone: string
  read_to: number | null
  picture: string | null
}

/**
 * Returns a ticket with its conversation.
 * @param org the organization in the URL, or 0 if the ticket has none yet
 * @throws HttpError 404 if the ticket doesn't exist for the viewer or belongs to another organization, 403 if
 * they cannot see it.
 */
export async function getTicket(
  db: Db,
  id: number,
  org: number | undefined,
  viewer: Viewer,
  links: Links,
): Promise<Ticket> {
  const { rows } = await sql<SelectedRow & TicketDetailRow>`${selectRows(
    viewer,
    sql`tickets`,
    sql`, ${sql.raw(selectOf(ticketFields, 't', 'detail').join(', '))}, t.unique_folder, t.merged_into, case when u.banned_at is null then requester_address(t.id) end as requester_email,
      u.banned_at is not null as requester_banned, coalesce(u.phone, t.sender_phone) as requester_phone, s.picture, (select r.message_id from ticket_reads r where r.ticket_id = t.id and r.staff_id = ${viewer.id}) as read_to`,
  )} where t.id = ${id} and t.deleted_at is null and ${ofProducts('t', viewer)}`.execute(db)
  const found = rows[0]
  if (!found || (org !== undefined && found.org_id !== org)) throw notFound('Ticket not found.')
  if (!seesTicket(viewer, found)) throw notAllowed()
  const [messages, comments, forwards, tasks, targets, readers] = await Promise.all([
    findMessages(db, id, viewer, links, await findOwnAddresses(db)),
    findComments(db, id, links),
    findForwards(db, id, viewer, links),
    sql<
      Omit<Ticket['tasks'][number], 'status_name' | 'status_tone'>
    >`select id, title, status, discipline, due_date from tasks where ticket_id in ${withMerged(id)} and deleted_at is null order by id limit 50`.execute(
      db,
    ),
    findTargets(db, id),
    sql<
      Ticket['readers'][number]
    >`select s.name, r.message_id, r.read_at from ticket_reads r join staff s on s.id = r.staff_id
      where r.ticket_id = ${id} order by r.read_at desc limit 20`.execute(db),
  ])
  const { picture, ...rest } = withWords(found)
  const isStaff = viewer.permissions.has('all_tickets_view')
  return {
    ...rest,
    message: messages[0]?.message ?? '',
    reply_cc: isStaff ? await findKeptCc(db, id, found.requester_email, messages) : [],
    is_own: found.staff_id === viewer.id,
    user_logo: pictureAddress(picture),
    attachment: messages[0]?.attachments ?? [],
    messages,
    // The requester must not see internal comments, and to whom messages were forwarded.
    comments: isStaff ? comments : [],
    forwards: isStaff ? forwards : [],
    tasks: tasks.rows.map((task) => ({
      ...task,
      status_name: statusName(task.status),
      status_tone: toneOf(task.status),
      due_date: datesOf(viewer.role_id).includes('due_date') ? task.due_date : null,
    })),
    targets: isStaff ? targets : [],
    readers: isStaff ? readers.rows : [],
  }
}

/** Returns whether the viewer can open a ticket. */
export async function maySeeTicket(db: Db, id: number, viewer: Viewer): Promise<boolean> {
  const { rows } = await sql<{
    staff_id: number | null
  }>`select t.staff_id from tickets t where t.id = ${id} and t.deleted_at is null and ${ofProducts('t', viewer)}`.execute(
    db,
  )
  return rows[0] !== undefined && seesTicket(viewer, rows[0])
}
