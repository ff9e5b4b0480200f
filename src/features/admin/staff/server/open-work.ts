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
import { distribute } from '#server/record/distribute.ts'
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

/** Returns the people among whom the work of a type is distributed; undefined if it isn't. */
const amongOf = ({ among }: Receivers, type: RecordType): readonly number[] | undefined =>
  type === 'ticket' ? among?.ticket : undefined

/** Returns who get the work of a type; null if no one does. It is empty if that wasn't chosen. */
function receiversOf(receivers: Receivers, type: RecordType): readonly (number | null)[] {
  const { to, others } = receivers
  const one = others?.[type] === undefined ? to : others[type]
  return amongOf(receivers, type) ?? (one === undefined ? [] : [one])
}

/** The field in which the people for a type were chosen. */
const fieldOf = (receivers: Receivers, type: RecordType) =>
  amongOf(receivers, type)
    ? `among.${type}`
    : receivers.others?.[type] === undefined
      ? 'to'
      : `others.${type}`

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
  for (const { kind, columns } of held)
    for (const column of columns) {
      const work: Work = { kind, column, from: staff_id, field: fieldOf(receivers, kind.type) }
      const among = amongOf(receivers, kind.type)
      moved.push(
        ...(among
          ? await distributeAmong(db, work, among)
          : await moveTo(db, work, receiversOf(receivers, kind.type)[0]!)),
      )
    }
  if (moved.length) await noteHandover(db, staff_id, moved)
  return moved
}

/** A user's open work of one type, by one of its columns. */
interface Work {
  kind: Kind
  column: string
  from: number
  /** The field in which those who get it were chosen. */
  field: string
}

const asMoved = ({ kind, column }: Work, ids: number[], to: number | null): Moved[] =>
  ids.length ? [{ target: kind.type, live: liveName(kind), column, ids, to }] : []

async function moveTo(db: Db, work: Work, to: number | null): Promise<Moved[]> {
  const { kind, column, from, field } = work
  if (to === null && kind.openWork.kept?.includes(column)) return []
  const ids = await move(db, kind, column, { from, to }, kind.openWork.open)
  if (to !== null) await demandSeen(db, kind, ids, { to, field })
  return asMoved(work, ids, to)
}

/** @throws HttpError 422 if none of the people can open some of the records, which are of other products. */
async function distributeAmong(db: Db, work: Work, people: readonly number[]): Promise<Moved[]> {
  const { kind, column, from, field } = work
  const id = idOf(kind)
  const { rows } = await sql<{ id: number }>`select ${sql.ref(id)} as id from ${sql.table(kind.table)}
    where ${kind.openWork.open} and ${ofPerson([column], from)} order by 1`.execute(db)
  const ids = rows.map((row) => row.id)
  const open = new Map<number, ReadonlySet<number>>()
  for (const person of people) {
    const hidden = new Set(await findHidden(db, kind, ids, person))
    open.set(person, new Set(ids.filter((one) => !hidden.has(one))))
  }
  const turns = distribute(ids, open)
  const left = ids.filter((one) => turns[one] === undefined).length
  if (left > 0)
    throw invalid(
      field,
      `None of these people can open ${counted(kind.type, left)} of this work, because they don’t have the products. Choose someone else, too.`,
    )
  const moved: Moved[] = []
  for (const to of open.keys()) {
    const theirs = ids.filter((one) => turns[one] === to)
    const which = sql`${sql.ref(id)} = any(${theirs}::int[])`
    moved.push(...asMoved(work, await move(db, kind, column, { from, to }, which), to))
  }
  return moved
}

async function demandReceivers(
  db: Db,
  held: readonly Held[],
  staff_id: number,
  receivers: Receivers,
): Promise<void> {
  const work = held.flatMap((one) =>
    receiversOf(receivers, one.kind.type).map((person) => [person, one] as const),
  )
  for (const one of held) {
    const { type } = one.kind
    const people = receiversOf(receivers, type)
    if (people.length === 0) throw invalid('to', 'This user has open work. Choose a new assignee.')
    if (people.includes(null) && !canBeUnassigned(one))
      throw invalid(fieldOf(receivers, type), 'This work can’t be left unassigned.')
  }
  for (const [to, theirs] of Map.groupBy(work, ([person]) => person))
    if (to)
      await demandReceiver(
        db,
        theirs.map(([, one]) => one),
        staff_id,
        { to, receivers },
      )
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
  const count = (await findHidden(db, kind, ids, to)).length
  if (count === 0) return
  const receiver = await findViewer(db, to)
  throw invalid(
    field,
    `${receiver!.name} can’t open ${counted(kind.type, count)} of this work, because they don’t have the products. Choose someone else.`,
  )
}

/** Returns those of the records that a person can't open. */
async function findHidden(db: Db, kind: Kind, ids: readonly number[], person: number): Promise<number[]> {
  const viewer = await findViewer(db, person)
  const { rows } = await sql<{
    id: number
  }>`select r.${sql.ref(idOf(kind))} as id from ${sql.table(kind.table)} r
    where r.${sql.ref(idOf(kind))} = any(${ids}::int[]) and (${scopeOf(kind, viewer)}) is not true`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
