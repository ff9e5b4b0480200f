import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { daysAhead, freeTimes } from '#features/crm/leads/demos/server/free-times.ts'
import { scheduledStatus } from '#features/crm/leads/demos.rules.ts'
import {
  longestSession,
  type appointments,
  type BusyTime,
  type HostDay,
  type SessionConflict,
} from '#shared/appointments.contract.ts'
import type { freeTimes as freeTimesContract } from '#shared/free-times.contract.ts'
import type { Reply, Viewer } from '#shared/endpoint.ts'
import { instantsOf } from '#shared/zones.ts'
import type { Db } from '#server/db/db.ts'

/** The record that a session belongs to. */
type About = z.output<typeof appointments.busy.params>
type Hosts = Pick<z.output<typeof appointments.busy.query>, 'host_ids' | 'except'>

/**
 * SQL for the IDs of a session's hosts; without any, the assignee of the onboarding that the session belongs to, or
 * else of the lead.
 */
function hostsOf({ type, id }: About, { host_ids, except }: Hosts): RawBuilder<unknown> {
  if (host_ids) return sql`select unnest(${host_ids}::int[])`
  if (type === 'onboarding') return sql`select o.assign_to from onboardings o where o.id = ${id}`
  return sql`select case when o.id is null then l.assign_to else o.assign_to end
    from leads l left join lead_demos d on d.id = ${except ?? null} and d.lead_id = l.lead_id
      left join onboardings o on o.id = d.onboarding_id where l.lead_id = ${id}`
}

interface Period {
  from: RawBuilder<unknown>
  until: RawBuilder<unknown>
  most: number
}

/** Returns the scheduled sessions of hosts in a period, by time; a session of two hosts is in it twice. */
async function findHeld(
  db: Db,
  hosts: RawBuilder<unknown>,
  { from, until, most }: Period,
  { except }: Hosts,
  { products, permissions }: Viewer,
): Promise<(BusyTime & { host_id: number; host: string })[]> {
  const { rows } = await sql<BusyTime & { host_id: number; host: string }>`
    select d.id, d.final_date as at, d.minutes, s.id as host_id, s.name as host,
      case when l.lead_for = any(${products}) and ${permissions.has('lead_list')}::boolean then
        jsonb_build_object('type', d.type, 'companyName', l.company_name, 'record_type', 'lead', 'record_id', l.lead_id)
      when o.product_id = any(${products}) and ${permissions.has('onboarding_list')}::boolean then
        jsonb_build_object('type', d.type, 'companyName', l.company_name, 'record_type', 'onboarding', 'record_id', o.id)
      end as session
    from lead_demos d join leads l on l.lead_id = d.lead_id and l.deleted_at is null
      left join onboardings o on o.id = d.onboarding_id
      join staff s on s.id in (${hosts}) and case
        when exists (select from lead_demo_hosts h where h.demo_id = d.id)
          then exists (select from lead_demo_hosts h where h.demo_id = d.id and h.staff_id = s.id)
        else s.id = case when o.id is null then l.assign_to else o.assign_to end end
    where d.status = ${sql.lit(scheduledStatus)} and d.final_date < ${until}
      and d.final_date > ${from} - make_interval(mins => ${longestSession})
      and d.final_date + make_interval(mins => d.minutes) > ${from}
      and d.id is distinct from ${except ?? null}::int
    order by d.final_date, d.id, s.name, s.id limit ${most}`.execute(db)
  return rows
}

/** Returns the scheduled sessions of the same hosts that overlap with a session, by time. */
export async function findConflicts(
  db: Db,
  about: About,
  { at, minutes, ...hosts }: z.output<typeof appointments.conflicts.query>,
  viewer: Viewer,
): Promise<SessionConflict[]> {
  const from = sql`${at}::timestamptz`
  const period = { from, until: sql`${from} + make_interval(mins => ${minutes})`, most: 10 }
  const held = await findHeld(db, hostsOf(about, hosts), period, hosts, viewer)
  return held.map(({ host_id: _, ...one }) => one)
}

/** Returns the hosts of a session with their other sessions on a day. */
export async function findHostDays(
  db: Db,
  about: About,
  { day, timezone, ...hosts }: z.output<typeof appointments.busy.query>,
  viewer: Viewer,
): Promise<HostDay[]> {
  const ids = hostsOf(about, hosts)
  const { from, until } = instantsOf(day, day, timezone)
  const period = { from: sql`${from}::timestamptz`, until: sql`${until}::timestamptz`, most: 1000 }
  const [people, held] = await Promise.all([
    sql<{
      id: number
      name: string
    }>`select s.id, s.name from staff s where s.id in (${ids}) order by s.name, s.id`
      .execute(db)
      .then(({ rows }) => rows),
    findHeld(db, ids, period, hosts, viewer),
  ])
  return people.map(({ id, name }) => ({
    id,
    name,
    busy: held.filter(({ host_id }) => host_id === id).map(({ host_id: _, host: __, ...busy }) => busy),
  }))
}

/** Returns up to three coming times at which all hosts of a session are free; none without hosts. */
export async function findFreeTimes(
  db: Db,
  about: About,
  { after, minutes, timezone, customer_timezone, ...hosts }: z.output<typeof freeTimesContract.list.query>,
  { viewer, now, hours }: { viewer: Viewer; now: Date; hours: { start: string; end: string } },
): Promise<Reply<typeof freeTimesContract.list>> {
  const earliest = new Date(
    Math.max(now.getTime(), after === undefined ? 0 : Date.parse(after)),
  ).toISOString()
  const ids = hostsOf(about, hosts)
  const { rows: people } = await sql`select from staff s where s.id in (${ids}) limit 1`.execute(db)
  if (people.length === 0) return { data: [], in_both: false }
  const from = sql`${earliest}::timestamptz`
  // The last day of the customer ends up to a day later in another time zone.
  const period = { from, until: sql`${from} + make_interval(days => ${daysAhead + 1})`, most: 5000 }
  const { times, isInBoth } = freeTimes({
    after: earliest,
    minutes,
    hours,
    zones: { theirs: customer_timezone, ours: timezone },
    busy: await findHeld(db, ids, period, hosts, viewer),
  })
  return { data: times, in_both: isInBoth }
}
