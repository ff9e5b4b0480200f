import { sql, type RawBuilder } from 'kysely'
import type { RecordCounts } from '#shared/record.contract.ts'
import type { LiveName } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import type { App } from '#server/app.ts'
import { idOf, liveName, type OpenWork, type RecordKind } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

/** A record type whose records can be the open work of an admin user. */
type Kind = RecordKind & { openWork: OpenWork }

/** Returns the types whose records can be open work. */
export const kindsOfWork = ({ records }: Pick<App, 'records'>): Kind[] =>
  records.all().flatMap((kind) => (kind.openWork ? [{ ...kind, openWork: kind.openWork }] : []))

const ofPerson = ({ openWork: { columns } }: Kind, staff_id: number) =>
  sql`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${staff_id}`),
    sql` or `,
  )})`

/** Counts a user's open work. */
export async function countHeld(db: Db, kinds: readonly Kind[], staff_id: number): Promise<RecordCounts> {
  const held: RecordCounts = {}
  for (const kind of kinds) {
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from ${sql.table(kind.table)} where ${kind.openWork.open} and ${ofPerson(kind, staff_id)}`.execute(
      db,
    )
    if (rows[0]!.count > 0) held[kind.type] = rows[0]!.count
  }
  return held
}

/**
 * Returns the names of the products that a user's open work belongs to and that the new assignee doesn't have
 * access to.
 */
export async function findMissingProducts(
  db: Db,
  kinds: readonly Kind[],
  staff_id: number,
  to: number,
): Promise<string[]> {
  const parts = kinds.flatMap((kind) =>
    kind.openWork.product
      ? [
          sql`select ${kind.openWork.product} as id from ${sql.table(kind.table)} where ${kind.openWork.open} and ${ofPerson(kind, staff_id)}`,
        ]
      : [],
  )
  const { rows } = await sql<{
    name: string
  }>`select p.name from products p where p.id in (${sql.join(parts, sql` union `)})
    and not exists (select from staff_products s where s.staff_id = ${to} and s.product_id = p.id) order by p.id`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

export interface Moved {
  target: string
  live: LiveName
  column: string
  ids: number[]
}

/** Hands over all of a user's open work to another user; returns what was moved. */
export async function handOver(
  db: Db,
  kinds: readonly Kind[],
  staff_id: number,
  to: number,
): Promise<Moved[]> {
  const moved: Moved[] = []
  for (const kind of kinds)
    for (const column of kind.openWork.columns) {
      const ids = await move(db, kind, column, staff_id, to, sql`${kind.openWork.open}`)
      if (ids.length) moved.push({ target: kind.type, live: liveName(kind), column, ids })
    }
  if (moved.length)
    await db
      .insertInto('staff_handovers')
      .values({
        staff_id,
        to_staff_id: to,
        items: JSON.stringify(moved.map(({ target, column, ids }) => ({ target, column, ids }))),
      })
      .execute()
  return moved
}

/**
 * Moves the work that was reassigned when a user was deactivated back to that user, except work that the new
 * assignee no longer has; returns what was moved.
 */
export async function revertHandover(
  db: Db,
  kinds: readonly Kind[],
  staff_id: number,
  now: Date,
): Promise<Moved[]> {
  const open = await db
    .updateTable('staff_handovers')
    .set({ undone_at: now.toISOString() })
    .where('staff_id', '=', staff_id)
    .where('undone_at', 'is', null)
    .returning(['to_staff_id', 'items'])
    .execute()
  const back: Moved[] = []
  for (const { to_staff_id, items } of open)
    for (const { target, column, ids } of items as unknown as Pick<Moved, 'target' | 'column' | 'ids'>[]) {
      const table = kinds.find((one) => one.type === target)?.table
      // Older handovers call all tasks development tasks.
      for (const kind of kinds.filter(
        (one) => one.table === table && one.openWork.columns.includes(column),
      )) {
        const which = sql`${sql.ref(idOf(kind))} = any(${ids}::int[]) and ${kind.openWork.only ?? sql`true`}`
        const moved = await move(db, kind, column, to_staff_id, staff_id, which)
        if (moved.length) back.push({ target: kind.type, live: liveName(kind), column, ids: moved })
      }
    }
  return back
}

async function move(
  db: Db,
  kind: Kind,
  column: string,
  from: number,
  to: number,
  which: RawBuilder<unknown>,
): Promise<number[]> {
  // A user can have very many records, and all are moved together with the change of the user.
  await sql`set local statement_timeout = '60s'`.execute(db)
  return touchRecords(
    { db },
    { table: kind.table, id: idOf(kind) },
    sql`${sql.ref(column)} = ${from} and ${which}`,
    { [column]: to },
  )
}
