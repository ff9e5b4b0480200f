import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { Days } from '#shared/trend.ts'
import { mostOrganizations, type SupportReport } from '#features/crm/support/report.contract.ts'
import { isSaid } from '#features/crm/support/server/conditions.ts'
import { lastRating } from '#features/crm/support/server/ticket-events.ts'
import type { Db } from '#server/db/db.ts'
import { dayEnd, dayStart } from '#server/record/list.ts'

const mostComments = 5
const numbers = sql`count(*) filter (where e.is_good)::integer as good, count(*) filter (where not e.is_good)::integer as bad`

interface Rated {
  good: number
  bad: number
}

/** Returns how many tickets have a good and a bad rating, each with its last one in the period. */
async function countRatings(
  db: Db,
  scope: RawBuilder<unknown>,
  { from, to }: Days,
  viewer: Viewer,
): Promise<Rated> {
  const [since, until] = [dayStart(from, viewer), dayEnd(to, viewer)]
  const { rows } = await sql<Rated>`select ${numbers}
    from tickets t cross join lateral ${lastRating(since, until)} e
    where ${wasRated(since, until)} and ${scope}`.execute(db)
  return rows[0]!
}

const wasRated = (since: RawBuilder<unknown>, until: RawBuilder<unknown>) =>
  sql`t.id in (select m.ticket_id from ticket_ratings r join ticket_messages m on m.id = r.message_id
    where r.rated_at >= ${since} and r.rated_at < ${until})`

/** Returns how many tickets have a good and a bad rating of an answer by each person. */
export async function findRatingsOfPeople(
  db: Db,
  scope: RawBuilder<unknown>,
  { from, to }: Days,
  viewer: Viewer,
): Promise<(Rated & { id: number | null })[]> {
  const [since, until] = [dayStart(from, viewer), dayEnd(to, viewer)]
  const { rows } = await sql<Rated & { id: number | null }>`select e.person as id, ${numbers}
    from tickets t cross join lateral ${lastRating(since, until)} e
    where ${wasRated(since, until)} and ${scope} group by e.person`.execute(db)
  return rows
}

interface Periods {
  period: Days
  earlier: Days | undefined
  /** Whether all organizations and comments are needed, not only the first ones. */
  isWhole: boolean
}

/** Returns the ratings of a period, compared with those of an earlier one, if any. */
export async function findRatings(
  db: Db,
  scope: RawBuilder<unknown>,
  { period, earlier, isWhole }: Periods,
  viewer: Viewer,
): Promise<SupportReport['ratings']> {
  const [since, until] = [dayStart(period.from, viewer), dayEnd(period.to, viewer)]
  const { rows: asked } = await sql<{ count: number }>`select count(*)::integer as count
    from ticket_ratings r join ticket_messages m on m.id = r.message_id join tickets t on t.id = m.ticket_id
    where r.asked_at >= ${since} and r.asked_at < ${until} and ${isSaid} and ${scope}`.execute(db)
  const { rows: comments } = await sql<
    SupportReport['ratings']['comments'][number]
  >`select t.id as ticket_id, t.title, case when e.is_good then 'good' else 'bad' end as score, e.comment, e.rated_at
    from tickets t cross join lateral ${lastRating(since, until)} e
    where ${wasRated(since, until)} and e.comment <> '' and ${scope}
    order by e.rated_at desc, t.id desc limit ${isWhole ? null : mostComments}`.execute(db)
  const { rows: organizations } = await sql<
    SupportReport['ratings']['organizations'][number]
  >`select t.organization_id as id, coalesce(o.name, 'No organization') as name, ${numbers}
    from tickets t cross join lateral ${lastRating(since, until)} e
      left join organizations o on o.organization_id = t.organization_id
    where ${wasRated(since, until)} and ${scope}
    group by t.organization_id, o.name order by count(*) desc, t.organization_id limit ${isWhole ? null : mostOrganizations}`.execute(
    db,
  )
  const before = earlier && (await countRatings(db, scope, earlier, viewer))
  const rated = before ? before.good + before.bad : 0
  return {
    asked: asked[0]!.count,
    ...(await countRatings(db, scope, period, viewer)),
    before: before && rated > 0 ? before.good / rated : null,
    comments,
    organizations,
  }
}
