import { sql } from 'kysely'
import { allows, type Access, type Viewer } from '#shared/endpoint.ts'
import { counted, recordTypes, rightOn, type RecordType } from '#shared/records.ts'
import type { z } from 'zod'
import type { Deactivation, staff } from '#features/admin/staff/contract.ts'
import {
  move,
  noteHandover,
  ofPerson,
  type Kind,
  type Moved,
} from '#features/admin/staff/server/staff.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { findViewer } from '#server/http/session.ts'
import { idOf, liveName, scopeOf } from '#server/record/rows.ts'

/* The open work of an admin user, and its handover when they are deactivated. */

type Receivers = z.output<typeof Deactivation>
type Takers = z.output<(typeof staff.held)['response']>['takers']

/** A user's open work of one type. */
export interface Held {
  kind: Kind
  count: number
  /** The columns by which they have it. */
  columns: readonly string[]
}

/** Returns a user's open work by type, without types of which there is none. */
export async function findHeld(db: Db, kinds: readonly Kind[], staff_id: number): Promise<Held[]> {
  const held: Held[] = []
  for (const kind of kinds) {
    const { columns, open } = kind.openWork
    const { rows } = await sql<{ count: number; columns: string[] }>`
      select count(*) as count, array_remove(array[${sql.join(
        columns.map(
          (column) => sql`case when bool_or(${sql.ref(column)} = ${staff_id}) then ${column}::text end`,
        ),
      )}], null) as columns
      from ${sql.table(kind.table)} where ${open} and ${ofPerson(columns, staff_id)}`.execute(db)
    const [{ count, columns: theirs } = { count: 0, columns: [] }] = rows
    if (count > 0) held.push({ kind, count, columns: theirs })
  }
  return held
}

const accessesTo = ({ kind, columns }: Held): Access[] =>
  columns.map((column) => kind.openWork.access?.[column] ?? rightOn(kind.type, 'read'))

const canOpen = (viewer: Viewer, held: Held): boolean =>
  accessesTo(held).every((access) => allows(access, viewer, { params: {}, query: {}, body: {} }))

const canBeUnassigned = ({ kind, columns }: Held): boolean =>
  columns.some((column) => !kind.openWork.kept?.includes(column))

/** Returns who can take over open work, by type. */
export async function findTakers(db: Db, held: readonly Held[], staff_id: number): Promise<Takers> {
  if (!held.length) return {}
  const people = await db
    .selectFrom('staff')
    .select('id')
    .where('banned_at', 'is', null)
    .where('id', '<>', staff_id)
    .orderBy('id')
    .execute()
  const viewers = (await Promise.all(people.map(({ id }) => findViewer(db, id)))).filter(
    (one) => one !== undefined,
  )
  return Object.fromEntries(
    held.map((one) => [
      one.kind.type,
      {
        ids: viewers.filter((viewer) => canOpen(viewer, one)).map(({ id }) => id),
        can_be_unassigned: canBeUnassigned(one),
      },
    ]),
  )
}

/** Returns who gets the work of a type; null if no one does, undefined if that wasn't chosen. */
const receiverOf = ({ to, others }: Receivers, type: RecordType): number | null | undefined =>
  others?.[type] === undefined ? to : others[type]

/** The field in which the person for a type was chosen. */
const fieldOf = ({ others }: Receivers, type: RecordType) =>
  others?.[type] === undefined ? 'to' : `others.${type}`

/**
 * Hands over all of a user's open work; returns what was moved.
 * @throws HttpError 422 if no new assignee is given, or if one can't open the work.
 */
export async function handOver(
  db: Db,
  held: readonly Held[],
  staff_id: number,
  receivers: Receivers,
): Promise<Moved[]> {
  await demandReceivers(db, held, staff_id, receivers)
  const moved: Moved[] = []
  for (const { kind, columns } of held) {
    const to = receiverOf(receivers, kind.type)!
    for (const column of columns) {
      if (to === null && kind.openWork.kept?.includes(column)) continue
      const ids = await move(db, kind, column, { from: staff_id, to }, kind.openWork.open)
      if (ids.length) moved.push({ target: kind.type, live: liveName(kind), column, ids, to })
      if (to !== null) await demandSeen(db, kind, ids, { to, field: fieldOf(receivers, kind.type) })
    }
  }
  if (moved.length) await noteHandover(db, staff_id, moved)
  return moved
}

async function demandReceivers(
  db: Db,
  held: readonly Held[],
  staff_id: number,
  receivers: Receivers,
): Promise<void> {
  for (const one of held) {
    const { type } = one.kind
    const [to, field] = [receiverOf(receivers, type), fieldOf(receivers, type)]
    if (to === undefined) throw invalid('to', 'This user has open work. Choose a new assignee.')
    if (to === null && !canBeUnassigned(one)) throw invalid(field, 'This work can’t be left unassigned.')
  }
  const chosen = Map.groupBy(held, ({ kind: { type } }) => receiverOf(receivers, type))
  for (const [to, work] of chosen) if (to) await demandReceiver(db, work, staff_id, { to, receivers })
}

/** @throws HttpError 422 if a new assignee can't take over the work that they would get. */
async function demandReceiver(
  db: Db,
  work: readonly Held[],
  staff_id: number,
  { to, receivers }: { to: number; receivers: Receivers },
): Promise<void> {
  const field = fieldOf(receivers, work[0]!.kind.type)
  const receiver = to === staff_id ? undefined : await findViewer(db, to)
  if (!receiver) throw invalid(field, 'This user can’t take over the work. Choose someone else.')
  const closed = work.filter((held) => !canOpen(receiver, held))
  if (closed.length) {
    const names = closed.map(({ kind: { type } }) => recordTypes[type].many).join(', ')
    const type = closed[0]!.kind.type
    throw invalid(
      fieldOf(receivers, type),
      `${receiver.name} can’t open ${names}. Choose someone else for them.`,
    )
  }
  const missing = await findMissingProducts(db, work, staff_id, to)
  if (missing.length)
    throw invalid(field, `This user doesn’t have access to ${missing.join(', ')}. Choose someone else.`)
}

/**
 * Returns the names of the products that open work belongs to and that the new assignee doesn't have access to.
 */
async function findMissingProducts(
  db: Db,
  held: readonly Held[],
  staff_id: number,
  to: number,
): Promise<string[]> {
  const parts = held.flatMap(({ kind: { table, openWork } }) =>
    openWork.product
      ? [
          sql`select ${openWork.product} as id from ${sql.table(table)}
            where ${openWork.open} and ${ofPerson(openWork.columns, staff_id)}`,
        ]
      : [],
  )
  if (!parts.length) return []
  const { rows } = await sql<{
    name: string
  }>`select p.name from products p where p.id in (${sql.join(parts, sql` union `)})
    and not exists (select from staff_products s where s.staff_id = ${to} and s.product_id = p.id) order by p.id`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** @throws HttpError 422 if the new assignee can't open some of the records, which are of other products. */
async function demandSeen(
  db: Db,
  kind: Kind,
  ids: readonly number[],
  { to, field }: { to: number; field: string },
): Promise<void> {
  const receiver = await findViewer(db, to)
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(kind.table)} r
    where r.${sql.ref(idOf(kind))} = any(${ids}::int[]) and (${scopeOf(kind, receiver)}) is not true`.execute(
    db,
  )
  const [{ count } = { count: 0 }] = rows
  if (count > 0)
    throw invalid(
      field,
      `${receiver!.name} can’t open ${counted(kind.type, count)} of this work, because they don’t have the products. Choose someone else.`,
    )
}
