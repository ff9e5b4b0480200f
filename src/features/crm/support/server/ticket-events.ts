import { sql, type RawBuilder } from 'kysely'
import { settledStatuses, type ClockKind, type TicketEvent } from '#features/crm/support/rules.ts'
import { isSaid } from '#features/crm/support/server/conditions.ts'

/* What happened to tickets `t`, for their report and for the list of the tickets that a number counts. */

const settled = sql.join(settledStatuses)

const changes = {
  solved: sql`c.to_status in (${settled}) and c.from_status not in (${settled})`,
  reopened: sql`c.from_status in (${settled}) and c.to_status not in (${settled})`,
}
type StatusEvent = keyof typeof changes
/** SQL over a status change `c`. */
export const isChange = (event: StatusEvent): RawBuilder<unknown> => changes[event]

/** For each ticket, the last time that it was solved or reopened between two instants, the second one excluded. */
export const lastChanges = (event: StatusEvent, since: RawBuilder<unknown>, until: RawBuilder<unknown>) =>
  sql`(select distinct on (c.ticket_id) c.ticket_id, c.changed_at as at, c.assignee_id as person, c.solved_after as seconds
    from ticket_status_changes c where ${changes[event]} and c.changed_at >= ${since} and c.changed_at < ${until}
    order by c.ticket_id, c.changed_at desc, c.id desc)`

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

/** Messages `m` of admin users to requesters between two instants, the second one excluded. */
const isOfDesk = (since: RawBuilder<unknown>, until: RawBuilder<unknown>) =>
  sql`m.sent_by_admin and m.staff_id is not null and m.created_at >= ${since} and m.created_at < ${until} and ${isSaid}`

/** Condition that something was done by a person; 0 is no one. */
function isBy(column: string, person: number | undefined): RawBuilder<unknown> {
  if (person === undefined) return sql`true`
  return person === 0 ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${person}`
}

/** Tickets that got a reply of any admin user or of one; the first message of the desk's own conversation isn't one. */
const repliedTo = (since: RawBuilder<unknown>, until: RawBuilder<unknown>, by: number | undefined) =>
  sql`(select m.ticket_id from ticket_messages m join tickets r on r.id = m.ticket_id and r.created_at < m.created_at
    where ${isOfDesk(since, until)} and ${isBy('m.staff_id', by)})`

/**
 * Query for the number of replies in each ticket `t` that the scope matches, by person; it can be 0. Messages are counted
 * before their tickets are read; only those of a person who wrote before their ticket began, as in the desk's own
 * conversation, are counted again.
 */
export const countReplies = (
  scope: RawBuilder<unknown>,
  since: RawBuilder<unknown>,
  until: RawBuilder<unknown>,
) =>
  sql`select d.person, d.ticket_id, case when t.created_at < d.first then d.count else (
      select count(*) from ticket_messages m where m.ticket_id = d.ticket_id and m.staff_id = d.person
        and m.created_at > t.created_at and ${isOfDesk(since, until)}) end as count
    from (
      select m.staff_id as person, m.ticket_id, count(*) as count, min(m.created_at) as first from ticket_messages m
      where ${isOfDesk(since, until)} group by m.staff_id, m.ticket_id
    ) d join tickets t on t.id = d.ticket_id where ${scope}`

/** The last rating of a ticket's answers between two instants, the second one excluded, and the author of that answer. */
export const lastRating = (since: RawBuilder<unknown>, until: RawBuilder<unknown>) =>
  sql`(select r.is_good, r.comment, r.rated_at, m.staff_id as person from ticket_messages m join ticket_ratings r on r.message_id = m.id
    where m.ticket_id = t.id and r.rated_at >= ${since} and r.rated_at < ${until} and ${isSaid}
    order by r.rated_at desc limit 1)`

interface Wanted {
  since: RawBuilder<unknown> | undefined
  until: RawBuilder<unknown> | undefined
  /** The author of the first answer, of a reply, or of the rated answer, or the assignee when the status changed; 0: no one. */
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
    return sql`exists (select from ${lastRating(from, to)} e where e.is_good = ${event === 'rated_good'}
      and ${isBy('e.person', by)})`
  if (event === 'replied') return sql`t.id in ${repliedTo(from, to, by)}`
  if (event === 'answered')
    return sql`(t.first_answer_at >= ${from} and t.first_answer_at < ${to}
      and ${isBy('t.first_answer_by', by)})`
  return sql`t.id in (select e.ticket_id from ${lastChanges(event, from, to)} e
    where ${isBy('e.person', by)})`
}
