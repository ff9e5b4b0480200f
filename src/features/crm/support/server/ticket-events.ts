import { sql, type RawBuilder } from 'kysely'
import { settledStatuses, type ClockKind, type TicketEvent } from '#features/crm/support/rules.ts'
import { isSaid } from '#features/crm/support/server/conditions.ts'

/* What happened to tickets `t`, for their report and for the list of the tickets that a number counts. */

const settled = sql.join(settledStatuses)

/** The first answer to a ticket that reached its conversation. */
export const firstAnswer = sql`(select m.created_at as at, m.staff_id as person from ticket_messages m
  where m.ticket_id = t.id and m.sent_by_admin and m.created_at > t.created_at and ${isSaid}
  order by m.created_at, m.id limit 1)`

const changes = {
  solved: sql`c.to_status in (${settled}) and c.from_status not in (${settled})`,
  reopened: sql`c.from_status in (${settled}) and c.to_status not in (${settled})`,
}
type StatusEvent = keyof typeof changes
/** SQL over a status change `c`. */
export const isChange = (event: StatusEvent): RawBuilder<unknown> => changes[event]

/** The last time that a ticket was solved or reopened between two instants, the second one excluded. */
export const lastChange = (event: StatusEvent, since: RawBuilder<unknown>, until: RawBuilder<unknown>) =>
  sql`(select c.id, c.changed_at as at, c.assignee_id as person from ticket_status_changes c
    where c.ticket_id = t.id and ${changes[event]} and c.changed_at >= ${since} and c.changed_at < ${until}
    order by c.changed_at desc, c.id desc limit 1)`

type TargetEvent = 'target_met' | 'target_missed'

/**
 * Condition that a service target, a clock `c`, was met or missed between two instants, the second one excluded. A
 * target that was missed counts when the work was done, and until then when it was due.
 */
const targetEvents: Record<
  TargetEvent,
  (during: (at: RawBuilder<unknown>) => RawBuilder<unknown>) => RawBuilder<unknown>
> = {
  target_met: (during) => sql`c.minutes is not null and c.seconds_left >= 0 and ${during(sql`c.ended_at`)}`,
  target_missed: (during) => sql`c.minutes is not null and (c.seconds_left < 0 and ${during(sql`c.ended_at`)}
    or c.due_at < now() and ${during(sql`c.due_at`)})`,
}

/** Condition of a service target as a report counts it. */
export const isTargetEvent = (event: TargetEvent, since: RawBuilder<unknown>, until: RawBuilder<unknown>) =>
  targetEvents[event]((at) => sql`${at} >= ${since} and ${at} < ${until}`)

/** The last rating of a ticket's answers between two instants, the second one excluded. */
export const lastRating = (since: RawBuilder<unknown>, until: RawBuilder<unknown>) =>
  sql`(select r.is_good, r.comment, r.rated_at from ticket_messages m join ticket_ratings r on r.message_id = m.id
    where m.ticket_id = t.id and r.rated_at >= ${since} and r.rated_at < ${until} and ${isSaid}
    order by r.rated_at desc limit 1)`

interface Wanted {
  since: RawBuilder<unknown> | undefined
  until: RawBuilder<unknown> | undefined
  /** The author of the first answer, or the assignee when the status changed. */
  by: number | undefined
  /** The kind of a service target. */
  target: ClockKind | undefined
}

/** Condition that something happened to a ticket in a period, as the report counts it. */
export function happened(event: TicketEvent, { since, until, by, target }: Wanted): RawBuilder<unknown> {
  const from = since ?? sql`'-infinity'::timestamptz`
  const to = until ?? sql`'infinity'::timestamptz`
  if (event === 'target_met' || event === 'target_missed')
    return sql`t.id in (select c.ticket_id from ticket_clocks c where ${isTargetEvent(event, from, to)}
      and (${target ?? null}::text is null or c.kind = ${target ?? null}))`
  if (event === 'rated_good' || event === 'rated_bad')
    return sql`exists (select from ${lastRating(from, to)} e where e.is_good = ${event === 'rated_good'})`
  const found = event === 'answered' ? firstAnswer : lastChange(event, from, to)
  return sql`exists (select from ${found} e where e.at >= ${from} and e.at < ${to}
    and (${by ?? null}::integer is null or e.person = ${by ?? null}))`
}
