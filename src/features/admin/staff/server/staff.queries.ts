import { sql, type RawBuilder } from 'kysely'
import type { LiveName } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import type { App } from '#server/app.ts'
import { idOf, liveName, type OpenWork, type RecordKind } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

/** A record type whose records can be the open work of an admin user. */
export type Kind = RecordKind & { openWork: OpenWork }

/** Returns the types whose records can be open work. */
export const kindsOfWork = ({ records }: Pick<App, 'records'>): Kind[] =>
  records.all().flatMap((kind) => (kind.openWork ? [{ ...kind, openWork: kind.openWork }] : []))

/** SQL condition for the records of which a user has one of the columns. */
export const ofPerson = (columns: readonly string[], staff_id: number) =>
  sql`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${staff_id}`),
    sql` or `,
  )})`

export interface Moved {
  target: string
  live: LiveName
  column: string
  ids: number[]
  /** The new assignee; null if the work was left unassigned. */
  to: number | null
}

/** Stores what was handed over, for each new assignee, so that it can be returned. */
export async function noteHandover(db: Db, staff_id: number, moved: readonly Moved[]): Promise<void> {
  for (const to_staff_id of new Set(moved.map(({ to }) => to))) {
    const items = moved
      .filter(({ to }) => to === to_staff_id)
      .map(({ target, column, ids }) => ({ target, column, ids }))
    await db
      .insertInto('staff_handovers')
      .values({ staff_id, to_staff_id, items: JSON.stringify(items) })
      .execute()
  }
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
        const moved = await move(db, kind, column, { from: to_staff_id, to: staff_id }, which)
        if (moved.length)
          back.push({ target: kind.type, live: liveName(kind), column, ids: moved, to: staff_id })
      }
    }
  return back
}

/** Moves records from one person to another; null is no one. */
export async function move(
  db: Db,
  kind: Kind,
  column: string,
  { from, to }: { from: number | null; to: number | null },
  which: RawBuilder<unknown>,
): Promise<number[]> {
  // A user can have very many records, and all are moved together with the change of the user.
  await sql`set local statement_timeout = '60s'`.execute(db)
  const isTheirs = from === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${from}`
  return touchRecords({ db }, { table: kind.table, id: idOf(kind) }, sql`${isTheirs} and ${which}`, {
    [column]: to,
  })
}
