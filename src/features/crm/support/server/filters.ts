import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { OrganizationReader } from '#features/crm/organizations/server/product-sets.queries.ts'
import { type TicketFilters } from '#features/crm/support/contract.ts'
import { waitingOnCustomer, type Queue } from '#features/crm/support/rules.ts'
import { hasLinked, isOpen, isSnoozed, isAmongUnread } from '#features/crm/support/server/conditions.ts'
import { isOfFailedReply } from '#features/crm/support/server/replies/failed-replies.ts'
import { matchesTicketSearch, type WordSearch } from '#features/crm/support/server/search-sql.ts'
import { happened } from '#features/crm/support/server/ticket-events.ts'
import { conditionsOf, dayEnd, dayStart, handledElsewhere, matchesSearch } from '#server/record/list.ts'

/* Conditions on tickets `t`. */

/** SQL over the ID of an organization that has any of the viewer's products. */
const ofAnyProduct = (organization: RawBuilder<unknown>, { products }: Viewer) =>
  sql`from organization_products p where p.organization_id = ${organization} and p.product_id = any(${[...products]}::int[])`
const hasAnyProduct = (organization: RawBuilder<unknown>, viewer: Viewer): RawBuilder<boolean> =>
  sql`exists (select ${ofAnyProduct(organization, viewer)})`

/**
 * Limits tickets to those whose organization has any of the viewer's products. The viewer's own tickets and
 * tickets without an organization always match.
 */
export const ofProducts = (alias: string, viewer: OrganizationReader, ofFew = false) => {
  if (viewer.seesAllOrganizations) return sql`true`
  const organization = sql.ref(`${alias}.organization_id`)
  // For an `exists` under an `or`, PostgreSQL reads the products of all organizations, which is efficient for
  // a count but wasteful for a page. A limit prevents this.
  const isOfSome = ofFew
    ? sql`(select true ${ofAnyProduct(organization, viewer)} limit 1)`
    : hasAnyProduct(organization, viewer)
  return sql`(${organization} is null or ${sql.ref(`${alias}.staff_id`)} = ${viewer.id} or ${isOfSome})`
}

/** Spam has its own queue; a search of all tickets and a request by ID find it. */
const showsSpam = ({ queue, search = '', ids }: Partial<TicketFilters>): boolean =>
  queue === 'spam' || ids !== undefined || (queue === undefined && search !== '')

/** Builds the condition for tickets `t` that match the filters and are in the viewer's scope. */
export function matching(
  filters: Partial<TicketFilters>,
  viewer: OrganizationReader,
  own = false,
  ofFew = false,
  words: WordSearch = 'found',
): RawBuilder<unknown> {
  const parts = [
    sql`t.deleted_at is null and t.merged_into is null`,
    ...(own || showsSpam(filters) ? [] : [sql`t.spam_reason is null`]),
    own ? sql`t.staff_id = ${viewer.id}` : ofProducts('t', viewer, ofFew),
    ...conditionsOf<TicketFilters>(filters, {
      search: (search) => matchesTicketSearch(search, viewer, words),
      status: (status) => sql`t.status = ${status}`,
      category: (category) => sql`t.category = ${category}`,
      organization: (id) => (id === 0 ? sql`t.organization_id is null` : sql`t.organization_id = ${id}`),
      category_search: (name) =>
        sql`t.category in (select c.id from ticket_categories c where ${matchesSearch(sql`search_text(c.name)`, name)})`,
      unread: (unread) =>
        unread === 1 ? sql`t.unread_message_id is not null` : sql`t.unread_message_id is null`,
      email_failed: () => isOfFailedReply,
      assignee: (who) =>
        who === 'none' ? sql`t.assignee_id is null` : sql`t.assignee_id = ${who === 'me' ? viewer.id : who}`,
      priority: (priority) => sql`t.priority = ${priority}`,
      tag: (tag) =>
        sql`exists (select from ticket_tag_links k where k.ticket_id = t.id and k.tag_id = ${tag})`,
      overdue: () => sql`${isOpen} and t.delivery_date < current_date`,
      target: (target) => (target === 'overdue' ? isOverdue : sql`${isOpen} and ${hasTargetWithin(24)}`),
      incident: (incident) => (incident === 'heads' ? hasLinked : sql`t.incident_id is not null`),
      queue: (queue) => conditionOf[queue](viewer),
      ids: (ids) => sql`t.id = any(${ids}::int[])`,
      created_from: (from) => sql`t.created_at >= ${dayStart(from, viewer)}`,
      created_to: (to) => sql`t.created_at < ${dayEnd(to, viewer)}`,
      created_weekday: (weekday) => sql`date_part('isodow', ${createdAt(viewer)}) = ${weekday}`,
      created_hour_from: (hour) => sql`date_part('hour', ${createdAt(viewer)}) >= ${hour}`,
      created_hour_to: (hour) => sql`date_part('hour', ${createdAt(viewer)}) <= ${hour}`,
      event: (event) =>
        happened(event, {
          since: filters.event_from === undefined ? undefined : dayStart(filters.event_from, viewer),
          until: filters.event_to === undefined ? undefined : dayEnd(filters.event_to, viewer),
          by: filters.event_by,
          target: filters.event_target,
        }),
      event_from: handledElsewhere,
      event_to: handledElsewhere,
      event_by: handledElsewhere,
      event_target: handledElsewhere,
    }),
  ]
  return sql.join(parts, sql` and `)
}

/** When the ticket was created, on the reader's clock. */
const createdAt = ({ zone = 'UTC' }: Viewer) => sql`(t.created_at at time zone ${zone}::text)`

/** Whether a service target of the ticket is missed, or ends within so many hours. */
const hasTargetWithin = (hours: number) => sql`t.target_due_at < now() + make_interval(hours => ${hours})`

/** Whether an open ticket missed a service target. */
export const isOverdue = sql`(${isOpen} and ${hasTargetWithin(0)})`

/** Conditions of the queues that an admin user sees for themselves. */
const conditionOf: Record<Queue, (viewer: Viewer) => RawBuilder<unknown>> = {
  unread: (viewer) => sql`${isAmongUnread(viewer)} and not ${isSnoozed(viewer)}`,
  mine: (viewer) => sql`t.assignee_id = ${viewer.id} and ${isOpen} and not ${isSnoozed(viewer)}`,
  unassigned: (viewer) => sql`t.assignee_id is null and ${isOpen} and not ${isSnoozed(viewer)}`,
  // A conversation that the desk began has no first answer, but a message of the desk.
  unanswered: () => sql`${isOpen} and t.first_answer_at is null and not exists (select from ticket_messages m
    where m.ticket_id = t.id and m.sent_by_admin and reaches_requester(m))`,
  spam: () => sql`t.spam_reason is not null`,
  waiting: () => sql`t.status = ${waitingOnCustomer}`,
  due: () => sql`${isOpen} and (t.delivery_date <= current_date or ${hasTargetWithin(24)})`,
}
