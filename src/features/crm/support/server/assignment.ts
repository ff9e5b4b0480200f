import { sql } from 'kysely'
import { can } from '#shared/access.ts'
import type { Away } from '#shared/away.contract.ts'
import { ofProducts } from '#features/crm/support/server/filters.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { findViewer } from '#server/http/session.ts'
import { mostNamed, notifyAssigned, type Assigning, type AssigningApp } from '#server/record/assigned.ts'
import { distribute } from '#server/record/distribute.ts'
import { awayOf } from '#server/record/away.ts'

/**
 * SQL condition that admin user `s` can be assigned tickets: can sign in, and open the tickets of customers. Only rules
 * skip people who are away.
 */
export const isAssignable = sql`(s.banned_at is null and s.deleted_at is null and exists (
  select from role_permissions r where r.role_id = s.role_id and r.permission = 'all_tickets_view'))`

/** SQL condition that admin user `s` can be assigned ticket `t`, and open it. */
export const isAssignableTo = sql`(${isAssignable} and (t.organization_id is null or t.staff_id = s.id
  or exists (select from organization_products o join staff_products q on q.product_id = o.product_id and q.staff_id = s.id
    where o.organization_id = t.organization_id)))`

interface Assignable {
  id: number
  name: string
  away: Away | null
}

/** Returns the admin users who can be assigned tickets, those who are away included. */
export async function findAssignable(db: Db, now: Date): Promise<Assignable[]> {
  const { rows } = await sql<Assignable>`select s.id, s.name, ${awayOf(sql`s.id`, now)} as away from staff s
    where ${isAssignable} order by s.name, s.id`.execute(db)
  return rows
}

/**
 * Returns those of the tickets that an admin user can open and so can be assigned.
 * @throws HttpError 422 on `field` if they can't open tickets at all
 */
export async function findOpenTo(
  db: Db,
  ids: readonly number[],
  assignee_id: number,
  field: string,
): Promise<number[]> {
  const assignee = await findViewer(db, assignee_id)
  if (!assignee || !can(assignee, 'all_tickets_view'))
    throw invalid(field, 'Choose an admin user who can open tickets.')
  const { rows } = await sql<{ id: number }>`select t.id from tickets t
    where t.id = any(${ids}::int[]) and ${ofProducts('t', assignee)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Why a ticket can't be assigned to someone. */
export const notTheirProduct = 'The assignee doesn’t have its product.'

/** @throws HttpError 422 if the admin user can't open the ticket. */
export async function demandAssignee(db: Db, id: number, assignee_id: number): Promise<void> {
  const open = await findOpenTo(db, [id], assignee_id, 'assignee_id')
  if (!open.includes(id)) throw invalid('assignee_id', notTheirProduct)
}

/** Returns whether a ticket has an assignee, who can open it. */
export async function hasPresentAssignee(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select from tickets t join staff s on s.id = t.assignee_id
    where t.id = ${id} and ${isAssignableTo}`.execute(db)
  return rows.length > 0
}

/**
 * Returns the assignee of each ticket if people take turns, each with about as many: the one with the fewest among
 * those who can open it. Tickets that none of them can open are missing.
 * @throws HttpError 422 on `field` if someone can't open tickets at all
 */
export async function takeTurns(
  db: Db,
  ids: readonly number[],
  people: readonly number[],
  field: string,
): Promise<Record<number, number>> {
  const open = new Map<number, ReadonlySet<number>>()
  for (const person of people) open.set(person, new Set(await findOpenTo(db, ids, person, field)))
  return distribute(ids, open)
}

/** @throws HttpError 422 if one of the tags doesn't exist. */
export async function demandTags(db: Db, ids: readonly number[], field: string): Promise<void> {
  if (!ids.length) return
  const { rows } = await sql<{ count: number }>`select count(*) as count from ticket_tags
    where id = any(${ids}::int[])`.execute(db)
  if (rows[0]!.count < new Set(ids).size) throw invalid(field, 'This tag doesn’t exist.')
}

/** Notifies the new assignee of tickets. Without a viewer, a rule assigned them. */
export async function notifyAssignee(
  app: AssigningApp,
  context: Assigning,
  assignee_id: number,
  ids: readonly number[],
): Promise<void> {
  const { rows: records } = await sql<{ id: number; title: string }>`select t.id, t.title from tickets t
    join unnest(${ids.slice(0, mostNamed)}::int[]) with ordinality as o (id, position) on o.id = t.id
    order by o.position`.execute(context.db)
  await notifyAssigned(app, context, {
    assignee_id,
    kind: ticketKind,
    by: context.viewer ? undefined : 'A rule',
    records,
    count: ids.length,
  })
}
