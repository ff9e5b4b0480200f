import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { batchSize } from '#shared/operations.ts'
import type { desk } from '#features/crm/support/desk.contract.ts'
import { settledStatuses } from '#features/crm/support/rules.ts'
import { hasLinked, isOpen } from '#features/crm/support/server/conditions.ts'
import { matching, ofProducts } from '#features/crm/support/server/filters.ts'
import { isIncident } from '#features/crm/support/server/incidents/incident-links.ts'
import {
  recipientColumns,
  whyNotReached,
  type RecipientRow,
} from '#features/crm/support/server/replies/recipients.queries.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import { joins, selectRows, withWords, type SelectedRow } from '#features/crm/support/server/ticket-rows.ts'
import type { WriteContext } from '#server/app.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { findRecords } from '#server/record/rows.ts'

type Changing = WriteContext<typeof desk.changeMany>

/** Returns those of the tickets to which others are linked, in the trash or not. */
export async function findIncidents(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select distinct p.incident_id as id from tickets p
    where p.incident_id = any(${[...ids]}::int[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Locks an incident and the tickets to link to it, in the order of their numbers; returns the tickets that can't be
 * linked, each with the reason.
 * @throws HttpError 422 if the ticket can't be an incident.
 */
export async function findUnlinkable(
  { db, viewer }: Pick<Changing, 'db' | 'viewer'>,
  incident_id: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  // Of more than these, the job locks each batch.
  const locked = ids.length > batchSize ? [] : ids
  const held = await findRecords(db, ticketKind, [incident_id, ...locked], viewer, { lock: true })
  const incident = held.find(({ id }) => id === incident_id)
  if (!incident || incident.merged_into !== null)
    throw invalid('change.incident_id', 'This ticket doesn’t exist.')
  if (incident.incident_id !== null)
    throw invalid(
      'change.incident_id',
      `Ticket #${incident_id} is part of incident #${incident.incident_id}. Choose #${incident.incident_id}.`,
    )
  const incidents = await findIncidents(db, ids)
  return new Map([
    ...ids.filter((id) => incidents.has(id)).map((id) => [id, isIncident] as const),
    ...ids.filter((id) => id === incident_id).map((id) => [id, 'It is the incident.'] as const),
  ])
}

/**
 * Returns the incident of a ticket into which others are merged: its own or, if it has none and isn't one, that of the
 * first of the others that has one.
 */
export async function incidentAfterMerge(
  db: Db,
  merged: readonly number[],
  into: number,
): Promise<number | null> {
  const { rows } = await sql<{
    id: number
    incident_id: number | null
  }>`select t.id, t.incident_id from tickets t
    where t.id = any(${[...merged, into]}::int[]) order by t.id`.execute(db)
  const own = rows.find(({ id }) => id === into)?.incident_id ?? null
  if (own !== null || (await findIncidents(db, [into])).size > 0) return own
  return rows.find(({ incident_id }) => incident_id !== null)?.incident_id ?? null
}

type Part = RecipientRow & {
  in_trash: boolean
  category: number
  is_head: boolean
  incident_note: string
  version: number
}

/** Number of linked tickets that an incident shows. */
const mostLinked = 500

/**
 * Returns an incident with the tickets that are linked to it, from any of them, and why one of them doesn't get an
 * answer to all. The head is null if the viewer can't see it.
 */
export async function findIncident(db: Db, ticket: number, viewer: Viewer) {
  const { rows } = await sql<Part>`select ${recipientColumns}, t.deleted_at is not null as in_trash,
      t.incident_id is null as is_head, t.incident_note, t.category, t.version
    from tickets t ${joins}
      cross join (select coalesce(own.incident_id, own.id) as id from tickets own where own.id = ${ticket}) h
    where (t.id = h.id or t.incident_id = h.id and t.deleted_at is null and t.merged_into is null)
      and ${ofProducts('t', viewer)}
    order by t.incident_id is not null, t.id limit ${mostLinked + 1}`.execute(db)
  const parts = rows.map((row) => {
    const {
      is_head: _,
      in_trash: _in,
      category: _category,
      banned: _banned,
      bounced: _bounced,
      incident_note: _note,
      version: _version,
      ...part
    } = row
    const isSolved = settledStatuses.includes(row.status)
    return { ...part, why: whyNotReached(row) ?? (isSolved ? ('solved' as const) : null) }
  })
  const [first] = rows
  if (!first?.is_head) return { head: null, linked: parts }
  const { in_trash, category, incident_note, version } = first
  return { head: { ...parts[0]!, in_trash, category, incident_note, version }, linked: parts.slice(1) }
}

const mostSuggested = 5
/** Least similarity of titles, from 0 to 1. */
const leastSimilar = 0.3

/**
 * Returns open tickets that look like a ticket, the most similar first: those that could be linked to it, and incidents
 * that it could be part of. They share a product, were opened within seven days of each other, and have similar titles;
 * an incident is as similar as the most similar of its tickets.
 */
export async function findSuggestions(db: Db, ticket: number, viewer: Viewer) {
  const source = sql`(select t.*, alike.likeness from tickets t join tickets own on own.id = ${ticket}
    cross join lateral (select max(similarity(one.search, own.search)) as likeness from tickets one
      where (one.id = t.id or one.incident_id = t.id) and one.id <> own.id and one.deleted_at is null) alike
    where ${matching({}, viewer)} and t.id <> own.id and t.incident_id is null and own.incident_id is null and ${isOpen}
      and t.created_at between own.created_at - interval '7 days' and own.created_at + interval '7 days'
      and (t.organization_id is null or own.organization_id is null or exists (
        select from organization_products a join organization_products b on b.product_id = a.product_id
        where a.organization_id = t.organization_id and b.organization_id = own.organization_id))
      and alike.likeness >= ${leastSimilar})`
  const { rows } = await sql<SelectedRow & { is_incident: boolean }>`${selectRows(
    viewer,
    source,
    sql`, ${hasLinked} as is_incident`,
  )} order by t.likeness desc, t.id desc limit ${4 * mostSuggested}`.execute(db)
  const own = await findIncidents(db, [ticket])
  const of = (isOf: boolean) =>
    rows
      .filter(({ is_incident }) => is_incident === isOf)
      .slice(0, mostSuggested)
      .map(({ is_incident: _, ...row }) => withWords(row))
  // An incident can't be part of another one.
  return { tickets: of(false), incidents: own.size ? [] : of(true) }
}
