import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { whoseSchedule } from '#shared/appointments.contract.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Demo, ScheduledDemo } from '#features/crm/leads/demos/contract.ts'
import type { Db } from '#server/db/db.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { Parts } from '#server/record/parts.ts'

const hostNames = `(select string_agg(s.name, ', ' order by s.name)
  from lead_demo_hosts h join staff s on s.id = h.staff_id where h.demo_id = d.id)`
/** SQL for the names of the hosts of a session `d`; null without any. */
export const namesOfHosts = sql<string | null>`${sql.raw(hostNames)}`

const columns = sql.raw(
  `d.id, d.lead_id, d.type, d.requested_date, d.schedule_comment, d.final_date, d.final_comment, d.received_date, d.status, d.is_completed,
    d.minutes, d.place, d.guests, array(select h.staff_id from lead_demo_hosts h where h.demo_id = d.id order by h.id) as host_ids,
    coalesce(${hostNames},
      (select s.name from staff s where s.id = (select case when o.id is null then l.assign_to else o.assign_to end
        from leads l left join onboardings o on o.id = d.onboarding_id where l.lead_id = d.lead_id))) as led_by`,
)
/** SQL for a session `d`. */
export const wholeSession = sql`${columns}, d.created_at, (select s.name from staff s where s.id = d.created_by) as who`

/** A lead's sessions with their hosts, declared as parts of the lead so that operations include them. */
export const sessionsOf = (lead_id: number): Parts[] => [
  { table: 'lead_demos', where: sql`t.lead_id = ${lead_id}` },
  {
    table: 'lead_demo_hosts',
    where: sql`t.demo_id in (select d.id from lead_demos d where d.lead_id = ${lead_id})`,
  },
]

/** Returns a lead's demos, latest first. */
export async function findDemos(db: Db, lead_id: number): Promise<Demo[]> {
  const { rows } = await sql<Demo>`select ${wholeSession} from lead_demos d where d.lead_id = ${lead_id}
    order by coalesce(d.final_date, d.requested_date) desc nulls first, d.id desc`.execute(db)
  return rows
}

export async function findSessionTypes(db: Db): Promise<string[]> {
  return (
    await db.selectFrom('session_types').select('name').orderBy('position').orderBy('name').execute()
  ).map(({ name }) => name)
}

/**
 * Returns the ID of a demo's lead, so that the lead can be locked before the demo is read.
 * @throws HttpError 404
 */
export async function leadOfDemo(db: Db, id: number): Promise<number> {
  const row = await db.selectFrom('lead_demos').select('lead_id').where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Session not found.')
  return row.lead_id
}

/** @throws HttpError 404 */
export async function getDemo(db: Db, lead_id: number, id: number): Promise<Demo> {
  const { rows } =
    await sql<Demo>`select ${wholeSession} from lead_demos d where d.id = ${id} and d.lead_id = ${lead_id}`.execute(
      db,
    )
  if (!rows[0]) throw notFound('Session not found.')
  return rows[0]
}

/** A demo's writable fields. */
export type DemoValues = Partial<
  Pick<
    Demo,
    | 'type'
    | 'requested_date'
    | 'schedule_comment'
    | 'final_date'
    | 'final_comment'
    | 'received_date'
    | 'status'
    | 'minutes'
    | 'place'
    | 'guests'
    | 'host_ids'
  >
>

export async function insertDemo(
  db: Db,
  lead_id: number,
  { host_ids = [], ...values }: DemoValues & { type: string },
  staff_id: number,
): Promise<number> {
  const { id } = await db
    .insertInto('lead_demos')
    .values({ ...values, lead_id, created_by: staff_id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setHosts(db, id, host_ids)
  return id
}

export async function updateDemo(db: Db, id: number, { host_ids, ...values }: DemoValues): Promise<void> {
  if (Object.keys(values).length > 0)
    await db.updateTable('lead_demos').set(values).where('id', '=', id).execute()
  if (host_ids) await setHosts(db, id, host_ids)
}

async function setHosts(db: Db, demo_id: number, host_ids: readonly number[]): Promise<void> {
  await sql`delete from lead_demo_hosts where demo_id = ${demo_id} and staff_id <> all(${host_ids}::int[])`.execute(
    db,
  )
  await sql`insert into lead_demo_hosts (demo_id, staff_id)
    select ${demo_id}, staff_id from unnest(${host_ids}::int[]) as staff_id on conflict do nothing`.execute(
    db,
  )
}

/**
 * Refuses hosts who don't exist or are deactivated; those that the session has stay.
 * @throws HttpError 422 at the field
 */
export async function demandHosts(
  db: Db,
  field: string,
  host_ids: readonly number[] = [],
  before?: Pick<Demo, 'host_ids'>,
): Promise<void> {
  const added = host_ids.filter((host) => !before?.host_ids.includes(host))
  if (added.length > 0 && (await findUnavailable(db, added)).length > 0)
    throw invalid(field, 'This admin user is deactivated or doesn’t exist.')
}

async function findUnavailable(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select one.id from unnest(${ids}::int[]) as one (id)
    where not exists (select from staff s where s.id = one.id and s.banned_at is null and s.deleted_at is null)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Returns the names of admin users, separated by commas. */
async function namesOfStaff(db: Db, ids: readonly number[]): Promise<string> {
  if (ids.length === 0) return ''
  const rows = await db
    .selectFrom('staff')
    .select('name')
    .where('id', 'in', [...ids])
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name).join(', ')
}

/**
 * Returns a demo's editable fields for the audit log, under names that do not conflict with the lead's
 * fields.
 */
export const factsOfSession = async (db: Db, demo: Demo) => ({
  session_type: demo.type,
  session_requested: demo.requested_date,
  schedule_comment: demo.schedule_comment,
  session_final: demo.final_date,
  final_comment: demo.final_comment,
  received_date: demo.received_date,
  session_minutes: demo.minutes,
  session_hosts: await namesOfStaff(db, demo.host_ids),
  session_place: demo.place,
  session_guests: demo.guests.join(', '),
  session_status: demo.status,
})

const scheduledAtMost = 1000

/** SQL for whether an admin user is one of the hosts of a session `d`. */
export const isHostedBy = (staff_id: number): RawBuilder<boolean> =>
  sql`exists (select from lead_demo_hosts h where h.demo_id = d.id and h.staff_id = ${staff_id})`

/** The filters of a schedule. */
export interface ScheduleFilters {
  lead_for?: number | undefined
  assigned_filter: z.output<typeof whoseSchedule>
}

/**
 * Returns the demos between two points in time for leads that the viewer can see, sorted by time; sets
 * `truncated` if there are too many.
 */
export async function findSchedule(
  db: Db,
  { from, until }: { from: string; until: string },
  { lead_for, assigned_filter }: ScheduleFilters,
  { id, products }: Viewer,
): Promise<{ data: ScheduledDemo[]; truncated: boolean }> {
  const wanted = lead_for === undefined ? products : [lead_for]
  const whose =
    assigned_filter === 'mine'
      ? sql`and (l.assign_to = ${id} or ${isHostedBy(id)}
          or exists (select from onboardings o where o.id = d.onboarding_id and o.assign_to = ${id}))`
      : sql``
  const { rows } = await sql<ScheduledDemo>`select ${columns}, coalesce(d.final_date, d.requested_date) as at,
      l.company_name as "companyName", l.contact_name as "contactName", l.lead_for, l.timezone, l.assign_to,
      (select s.name from staff s where s.id = l.assign_to) as assigned_name
    from lead_demos d join leads l on l.lead_id = d.lead_id and l.deleted_at is null
    where coalesce(d.final_date, d.requested_date) >= ${from} and coalesce(d.final_date, d.requested_date) < ${until}
      and d.status <> 0 and l.lead_for = any(${wanted}) ${whose}
    order by coalesce(d.final_date, d.requested_date), d.id limit ${scheduledAtMost + 1}`.execute(db)
  return { data: rows.slice(0, scheduledAtMost), truncated: rows.length > scheduledAtMost }
}
