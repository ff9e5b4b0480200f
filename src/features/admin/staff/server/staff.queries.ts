import { sql, type RawBuilder } from 'kysely'
import type { Held } from '#features/admin/staff/contract.ts'
import { disciplineNames, disciplineOf } from '#features/tasks/tasks/rules.ts'
import { settledStatuses } from '#features/crm/support/rules.ts'
import type { LiveName } from '#shared/records.ts'
import type { Database, Db } from '#server/db/db.ts'
import { touchRecords } from '#server/record/touch.ts'

interface Kind {
  name: keyof Held
  table: keyof Database
  id: string
  /** Columns that contain a staff ID. */
  columns: readonly string[]
  open: RawBuilder<unknown>
  /** SQL for the product; absent if the new assignee doesn't need access to a product. */
  product?: RawBuilder<unknown>
  /** SQL condition that tells the kinds of one table apart. */
  only?: RawBuilder<unknown>
  target: string
  live: LiveName
}

/** Open work assigned to a user. */
const kinds: readonly Kind[] = [
  {
    name: 'leads',
    table: 'leads',
    id: 'lead_id',
    columns: ['assign_to'],
    open: sql`deleted_at is null`,
    product: sql`lead_for`,
    target: 'lead',
    live: 'leads',
  },
  {
    name: 'organizations',
    table: 'organizations',
    id: 'organization_id',
    columns: ['assign_to'],
    open: sql`deleted_at is null`,
    target: 'organization',
    live: 'organization',
  },
  {
    name: 'onboardings',
    table: 'onboardings',
    id: 'id',
    columns: ['assign_to', 'onboarding_by'],
    open: sql`deleted_at is null and status <> 3`,
    product: sql`product_id`,
    target: 'onboarding',
    live: 'onboarding',
  },
  // Includes tickets that the user opened: support's replies need a recipient.
  {
    name: 'tickets',
    table: 'tickets',
    id: 'id',
    columns: ['staff_id'],
    open: sql`deleted_at is null and status not in (${sql.join(settledStatuses)})`,
    target: 'ticket',
    live: 'ticket',
  },
  ...disciplineNames.map((discipline) => ({
    name: 'tasks' as const,
    table: 'tasks' as const,
    id: 'id',
    columns: ['assigned_to'],
    open: sql`deleted_at is null and status <> 4 and discipline = ${discipline}`,
    product: sql`product_id`,
    only: sql`discipline = ${discipline}`,
    target: disciplineOf(discipline).type,
    live: disciplineOf(discipline).type,
  })),
  {
    name: 'quick_tasks',
    table: 'quick_tasks',
    id: 'id',
    columns: ['person'],
    open: sql`deleted_at is null and status = 0`,
    target: 'quick_task',
    live: 'quick_task',
  },
]

const ofPerson = ({ columns }: Kind, staff_id: number) =>
  sql`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${staff_id}`),
    sql` or `,
  )})`

/** Counts a user's open work. */
export async function countHeld(db: Db, staff_id: number): Promise<Held> {
  const held: Partial<Held> = {}
  for (const kind of kinds) {
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from ${sql.table(kind.table)} where ${kind.open} and ${ofPerson(kind, staff_id)}`.execute(
      db,
    )
    held[kind.name] = (held[kind.name] ?? 0) + rows[0]!.count
  }
  return held as Held
}

/**
 * Returns the names of the products that a user's open work belongs to and that the new assignee doesn't have
 * access to.
 */
export async function findMissingProducts(db: Db, staff_id: number, to: number): Promise<string[]> {
  const parts = kinds.flatMap((kind) =>
    kind.product
      ? [
          sql`select ${kind.product} as id from ${sql.table(kind.table)} where ${kind.open} and ${ofPerson(kind, staff_id)}`,
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
export async function handOver(db: Db, staff_id: number, to: number): Promise<Moved[]> {
  const moved: Moved[] = []
  for (const kind of kinds)
    for (const column of kind.columns) {
      const ids = await move(db, kind, column, staff_id, to, sql`${kind.open}`)
      if (ids.length) moved.push({ target: kind.target, live: kind.live, column, ids })
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
export async function revertHandover(db: Db, staff_id: number, now: Date): Promise<Moved[]> {
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
      const table = kinds.find((one) => one.target === target)?.table
      // Older handovers call all tasks development tasks.
      for (const kind of kinds.filter((one) => one.table === table && one.columns.includes(column))) {
        const which = sql`${sql.ref(kind.id)} = any(${ids}::int[]) and ${kind.only ?? sql`true`}`
        const moved = await move(db, kind, column, to_staff_id, staff_id, which)
        if (moved.length) back.push({ target: kind.target, live: kind.live, column, ids: moved })
      }
    }
  return back
}

async function move(
  db: Db,
  { table, id }: Kind,
  column: string,
  from: number,
  to: number,
  which: RawBuilder<unknown>,
): Promise<number[]> {
  // A user can have very many records, and all are moved together with the change of the user.
  await sql`set local statement_timeout = '60s'`.execute(db)
  return touchRecords({ db }, { table, id }, sql`${sql.ref(column)} = ${from} and ${which}`, { [column]: to })
}
