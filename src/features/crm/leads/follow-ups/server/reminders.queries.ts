import { sql } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Reminder } from '#features/crm/leads/follow-ups/reminders.contract.ts'
import { needsFollowUp } from '#features/crm/leads/record/server/needs-follow-up.queries.ts'
import type { Db } from '#server/db/db.ts'

const remindersPerPage = 20
const atOnce = 2000

/** Matches leads that await a follow-up. */
const awaitsFollowUp = sql`l.assign_to is not null and l.followup_date is not null and l.deleted_at is null and ${sql.raw(needsFollowUp)}`
const isOf = sql`l.lead_id = r.lead_id and l.assign_to = r.staff_id and l.followup_date = r.due_on`
/**
 * A reminder is valid while its lead awaits a follow-up on that day by that user. Changing the date or the
 * assignee, winning or rejecting the lead, or moving it to the trash closes the reminder; undo reopens it.
 */
const isValidReminder = sql`${isOf} and ${awaitsFollowUp}`

/** Returns a page of a user's open reminders, across all their products. */
export async function findReminders(
  db: Db,
  { id, products }: Viewer,
  page: number,
  today: PlainDate,
): Promise<{ data: Reminder[]; total: number; per_page: number }> {
  const ofHis = sql`${isValidReminder} and l.lead_for = any(${products}::int[])`
  const open = sql`r.staff_id = ${id} and r.done_at is null and r.due_on <= ${today}`
  const [{ rows }, total] = await Promise.all([
    // With `offset 0`, leads are looked up one by one, in reminder order, until the page is full.
    sql<Reminder>`select r.id, r.lead_id, l.company_name as "companyName", l.contact_name as "contactName", l.lead_for, r.due_on
      from reminders r, lateral (select l.* from leads l where ${ofHis} offset 0) l where ${open}
      order by r.due_on, r.id limit ${remindersPerPage} offset ${(page - 1) * remindersPerPage}`.execute(db),
    // Read separately, because joined to the reminders, either all follow-ups of the user would be read, or the leads one by
    // one. Both are read from indexes, the leads of the days that have reminders.
    sql<{
      total: number
    }>`with open as materialized (select r.lead_id, r.staff_id, r.due_on from reminders r where ${open}),
        due as materialized (select l.lead_id, l.assign_to, l.followup_date from leads l
          where ${awaitsFollowUp} and l.assign_to = ${id} and l.lead_for = any(${products}::int[])
            and l.followup_date between (select min(due_on) from open) and ${today})
      select count(*) as total from open r join due l on ${isOf}`.execute(db),
  ])
  return { data: rows, total: total.rows[0]!.total, per_page: remindersPerPage }
}

/** Marks a user's reminder as done or open; returns false if the user has no reminder with this ID. */
export async function markReminder(db: Db, id: number, staff_id: number, done: boolean): Promise<boolean> {
  const { rows } =
    await sql`update reminders set done_at = ${done ? sql`coalesce(done_at, now())` : sql`null`}
    where id = ${id} and staff_id = ${staff_id} returning id`.execute(db)
  return rows.length > 0
}

/** The number of follow-ups that became due for a user, and whether any of them was due before today. */
export interface NewlyDue {
  staff_id: number
  added: number
  overdue: boolean
}

/**
 * Creates reminders for the assignees of due leads: for all due leads or, with `ids`, only for those with the
 * given IDs. Existing reminders are skipped, so this is idempotent and safe to run concurrently.
 */
export async function remind(db: Db, today: PlainDate, ids?: readonly number[]): Promise<NewlyDue[]> {
  const due = new Map<number, NewlyDue>()
  if (ids?.length === 0) return []
  for (;;) {
    const { rows } = await sql<NewlyDue>`with written as (
        insert into reminders (staff_id, lead_id, due_on)
        select l.assign_to, l.lead_id, l.followup_date from leads l join staff s on s.id = l.assign_to
        where ${awaitsFollowUp} and l.followup_date <= ${today} and s.banned_at is null ${ids ? sql`and l.lead_id = any(${ids}::int[])` : sql``}
          and not exists (select from reminders r where ${isOf})
        order by l.lead_id limit ${atOnce} on conflict do nothing returning staff_id, due_on)
      select staff_id, count(*) as added, bool_or(due_on < ${today}) as overdue from written group by staff_id`.execute(
      db,
    )
    for (const { staff_id, added, overdue } of rows) {
      const before = due.get(staff_id)
      due.set(staff_id, {
        staff_id,
        added: added + (before?.added ?? 0),
        overdue: overdue || (before?.overdue ?? false),
      })
    }
    if (rows.reduce((sum, { added }) => sum + added, 0) < atOnce) return [...due.values()]
  }
}

/** Deletes open reminders that are no longer valid; if one becomes valid again, it is recreated. */
export async function dropStale(db: Db): Promise<void> {
  await sql`delete from reminders r where r.done_at is null and not exists (select from leads l where ${isValidReminder})`.execute(
    db,
  )
}
