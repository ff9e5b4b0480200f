import { CompiledQuery, sql, type Kysely } from 'kysely'
import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { countsPerWeek, daysOf, trendOf, weeksOf, type Period } from '#shared/trend.ts'
import { LeadFilters } from '#features/crm/leads/contract.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import { leadsCounted, mostUntouched, type LeadNumbers } from '#features/crm/leads/numbers/contract.ts'
import { matching } from '#features/crm/leads/record/server/list.queries.ts'
import { needsFollowUp } from '#features/crm/leads/record/server/needs-follow-up.queries.ts'
import type { Database } from '#server/db/tables.ts'
import { dayOf, dayStart } from '#server/record/list.ts'

const shown = 8
const mostPeople = 20

interface Asked {
  products: readonly number[]
  period: Period
  viewer: Viewer
}

/**
 * Returns due follow-ups, the trends of new and won leads, and the number of new ones by status and week;
 * won and rejected leads need no follow-up.
 */
export async function findLeadNumbers(db: Kysely<Database>, asked: Asked): Promise<LeadNumbers> {
  const { products, period } = asked
  const today = period.to
  const weeks = weeksOf(period)
  const [overdue, by, dueToday, next, statuses, days, closed, untouched] = await Promise.all([
    findFollowUps(db, products, undefined, addDays(today, -1)),
    findOverdueOfPeople(db, products, today),
    findFollowUps(db, products, today, today),
    findFollowUps(db, products, addDays(today, 1), addDays(today, 7)),
    db.selectFrom('lead_statuses').select(['id', 'name', 'tone', 'is_won']).orderBy('position').execute(),
    findCreated(db, asked),
    findClosed(db, asked),
    countUntouched(db, asked),
  ])
  const won = statuses.find(({ is_won }) => is_won)
  return {
    untouched,
    overdue: { ...overdue, by },
    today: dueToday,
    next,
    created: trendOf(days, period),
    won: won
      ? {
          status: won.id,
          ...trendOf(
            closed.filter(({ status }) => status === won.id),
            period,
          ),
          closed: trendOf(closed, period).total,
        }
      : null,
    weeks,
    by_status: statuses.map(({ id: status, name, tone }) => ({
      status,
      name,
      tone,
      counts: countsPerWeek(
        days.filter((one) => one.status === status),
        weeks,
      ),
    })),
  }
}

/** Returns the first leads whose follow-up is due on one of the days, and their number. */
async function findFollowUps(
  db: Kysely<Database>,
  products: readonly number[],
  from: PlainDate | undefined,
  to: PlainDate,
) {
  if (!products.length) return { total: 0, first: [] }
  let due = db
    .selectFrom('leads as l')
    .where('l.lead_for', 'in', [...products])
    .where('l.deleted_at', 'is', null)
    .where('l.followup_date', 'is not', null)
    .where('l.followup_date', '<=', to)
    .where(sql.raw<boolean>(needsFollowUp))
  if (from) due = due.where('l.followup_date', '>=', from)
  const [first, { rows: counted }] = await Promise.all([
    due
      .leftJoin('staff', 'staff.id', 'l.assign_to')
      .select([
        'lead_id',
        'company_name as companyName',
        'contact_name as contactName',
        sql<string>`l.followup_date`.as('followup_date'),
        'l.status',
        'lead_for',
        'staff.name as assigned_name',
      ])
      .orderBy('followup_date')
      .orderBy('lead_id')
      .limit(shown)
      .execute(),
    // The database maintains the counts.
    sql<{ total: number }>`select coalesce(sum(c.change), 0)::int as total from follow_up_counts c
      where c.lead_for = any(${[...products]}::int[]) and c.followup_date <= ${to}::date
        and c.followup_date >= ${from ?? '-infinity'}::date`.execute(db),
  ])
  return { total: counted[0]!.total, first }
}

/** Returns how many overdue follow-ups each assignee has, from the counts that the database maintains. */
async function findOverdueOfPeople(
  db: Kysely<Database>,
  products: readonly number[],
  today: PlainDate,
): Promise<LeadNumbers['overdue']['by']> {
  const { rows } = await sql<LeadNumbers['overdue']['by'][number]>`select w.assign_to as id,
      coalesce(s.name, 'Unassigned') as name, w.total from (
        select c.assign_to, sum(c.change)::int as total from follow_up_counts c
        where c.lead_for = any(${[...products]}::int[]) and c.followup_date < ${today}::date
        group by 1 having sum(c.change) > 0
      ) w left join staff s on s.id = w.assign_to
    order by w.total desc, s.name, w.assign_to limit ${mostPeople}`.execute(db)
  return rows
}

/** Returns how many open leads nothing happened to in the period, as far as they are counted. */
async function countUntouched(db: Kysely<Database>, { products, period, viewer }: Asked): Promise<number> {
  const filters = LeadFilters.parse(leadsCounted.untouched(period))
  const { where, values } = matching(filters, { ...viewer, products }, period.to)
  const { rows } = await db.executeQuery<{ total: number }>(
    CompiledQuery.raw(
      `select count(*)::int as total from (select from leads l where ${where} limit ${mostUntouched}) l`,
      values,
    ),
  )
  return rows[0]!.total
}

interface CountOfDay {
  day: PlainDate
  status: number
  count: number
}

/** Returns the number of leads by the day they came in and by status, which the database maintains. */
async function findCreated(db: Kysely<Database>, { products, period }: Asked): Promise<CountOfDay[]> {
  const { from, to } = daysOf(period)
  const { rows } =
    await sql<CountOfDay>`select l.lead_date as day, l.status, sum(l.change)::int as count from lead_counts l
    where l.lead_for = any(${[...products]}::int[])
      and l.lead_date between ${from}::date and ${to}::date group by 1, 2`.execute(db)
  return rows
}

/** Returns the number of won and rejected leads by the day since which they are, and by status. */
async function findClosed(db: Kysely<Database>, { products, period, viewer }: Asked): Promise<CountOfDay[]> {
  const { from } = period.before
  const of = sql`${[...products]}::int[]`
  const closed = sql`array(select s.id from lead_statuses s where s.is_won or s.id = ${rejectedStatus})`
  const { rows } =
    await sql<CountOfDay>`select ${dayOf(sql`l.status_at`, viewer)} as day, l.status, count(*)::int as count
    from leads l where l.lead_for = any(${of}) and l.status = any(${closed}) and l.deleted_at is null
      and l.status_at >= ${dayStart(from, viewer)} group by 1, 2
    union all select c.lead_date, c.status, sum(c.change)::int
    from lead_counts c where c.lead_for = any(${of}) and c.status = any(${closed}) and c.since_entered
      and c.lead_date >= ${from}::date group by 1, 2`.execute(db)
  return rows
}
