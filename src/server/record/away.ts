import { sql, type RawBuilder } from 'kysely'
import type { Away } from '#shared/away.contract.ts'
import type { Db } from '#server/db/db.ts'

/* When admin users are away. `staff_away` has a row for each day; `has_no_end` makes it stand for all later days, too. */

/** SQL condition that an admin user is away at a time. */
export const isAway = (id: RawBuilder<unknown>, at: Date): RawBuilder<boolean> =>
  sql`(away_until(${id}, ${at.toISOString()}::timestamptz) is not null)`

/** SQL expression: until when an admin user is away at a time; null if they are present. */
export const awayOf = (id: RawBuilder<unknown>, at: Date): RawBuilder<Away | null> =>
  sql`(select json_build_object('until', nullif(a.until, 'infinity'))
    from (select away_until(${id}, ${at.toISOString()}::timestamptz) as until) a where a.until is not null)`

/** Returns until when an admin user is away; null if they are present. */
export async function findAway(db: Db, staff_id: number, at: Date): Promise<Away | null> {
  const { rows } = await sql<{
    away: Away | null
  }>`select ${awayOf(sql`${staff_id}::int`, at)} as away`.execute(db)
  return rows[0]!.away
}

interface Absence {
  staff_id: number
  from: string
  /** The last day; null if no end is known. */
  until: string | null
  zone: string
  by: number
}

/** Stores an absence in place of the present one. */
export async function setAway(db: Db, absence: Absence, at: Date): Promise<void> {
  const { staff_id, from, until, zone, by } = absence
  await endAway(db, staff_id, at)
  await sql`insert into staff_away (staff_id, day, marked_by, marked_at, zone, has_no_end)
    select ${staff_id}, ${from}::date + n, ${by}, ${at.toISOString()}, ${zone}, ${until === null}
    from generate_series(0, ${until ?? from}::date - ${from}::date) n
    on conflict (staff_id, day) do update set marked_by = excluded.marked_by, marked_at = excluded.marked_at,
      zone = excluded.zone, has_no_end = excluded.has_no_end`.execute(db)
}

/** Ends the present absence of an admin user: its earlier days stay. */
export async function endAway(db: Db, staff_id: number, at: Date): Promise<void> {
  const now = at.toISOString()
  const { rows } = await sql<{
    until: string | null
  }>`select away_until(${staff_id}, ${now}) as until`.execute(db)
  const { until } = rows[0]!
  if (until === null) return
  await sql`with ended as (
      update staff_away set has_no_end = false where staff_id = ${staff_id} and has_no_end returning *
    )
    insert into staff_away (staff_id, day, marked_by, marked_at, zone)
    select e.staff_id, e.day + n, e.marked_by, e.marked_at, e.zone
    from ended e, generate_series(1, (${now}::timestamptz at time zone e.zone)::date - 1 - e.day) n
    on conflict do nothing`.execute(db)
  await sql`delete from staff_away a where a.staff_id = ${staff_id} and a.day <= ${until}::date
    and a.day >= (${now}::timestamptz at time zone a.zone)::date`.execute(db)
}

/** Removes one day of an absence; one without a known end has its other days as before. */
export async function removeAwayDay(db: Db, staff_id: number, day: string): Promise<void> {
  await sql`with ended as (
      update staff_away set has_no_end = false where staff_id = ${staff_id} and has_no_end and day <= ${day}::date returning *
    )
    insert into staff_away (staff_id, day, marked_by, marked_at, zone, has_no_end)
    select e.staff_id, e.day + n, e.marked_by, e.marked_at, e.zone, e.day + n > ${day}::date
    from ended e, generate_series(1, ${day}::date + 1 - e.day) n
    on conflict (staff_id, day) do update set has_no_end = excluded.has_no_end`.execute(db)
  await db.deleteFrom('staff_away').where('staff_id', '=', staff_id).where('day', '=', day).execute()
}
