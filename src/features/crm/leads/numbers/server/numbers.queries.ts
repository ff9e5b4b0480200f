import { sql, type Kysely } from 'kysely'
import { addDays, type PlainDate } from '#shared/dates.ts'
import { countsPerWeek, trendOf, weeksUntil } from '#shared/trend.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import type { LeadNumbers } from '#features/crm/leads/numbers/contract.ts'
import type { Database } from '#server/db/tables.ts'

const shown = 8

/**
 * Returns due follow-ups, the trend of new leads, and their number by status and week, for the given
 * products; rejected leads need no follow-up.
 */
export async function findLeadNumbers(
  db: Kysely<Database>,
  products: readonly number[],
  today: PlainDate,
): Promise<LeadNumbers> {
  const own = [...products]
  const followUps = async (from: PlainDate | undefined, to: PlainDate) => {
    let due = db
      .selectFrom('leads')
      .where('leads.lead_for', 'in', own)
      .where('leads.deleted_at', 'is', null)
      .where('leads.followup_date', 'is not', null)
      .where('leads.followup_date', '<=', to)
      .where('leads.status', '!=', rejectedStatus)
    if (from) due = due.where('leads.followup_date', '>=', from)
    const [first, { total }] = await Promise.all([
      due
        .leftJoin('staff', 'staff.id', 'leads.assign_to')
        .select([
          'lead_id',
          'company_name as companyName',
          'contact_name as contactName',
          sql<string>`leads.followup_date`.as('followup_date'),
          'leads.status',
          'lead_for',
          'staff.name as assigned_name',
        ])
        .orderBy('followup_date')
        .orderBy('lead_id')
        .limit(shown)
        .execute(),
      due.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    ])
    return { total, first }
  }
  const weeks = weeksUntil(today)
  const none = { total: 0, first: [] }
  const [overdue, dueToday, next, statuses, days] = await Promise.all([
    own.length ? followUps(undefined, addDays(today, -1)) : none,
    own.length ? followUps(today, today) : none,
    own.length ? followUps(addDays(today, 1), addDays(today, 7)) : none,
    db.selectFrom('lead_statuses').select(['id', 'name', 'tone']).orderBy('position').execute(),
    own.length ? findCreated(db, own, weeks[0]!, today) : [],
  ])
  return {
    overdue,
    today: dueToday,
    next,
    created: trendOf(days, today),
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

/** Returns the number of leads by the day they came in and by status. */
const findCreated = (db: Kysely<Database>, products: number[], from: PlainDate, to: PlainDate) =>
  db
    .selectFrom('leads')
    .where('lead_for', 'in', products)
    .where('deleted_at', 'is', null)
    .where('lead_date', '>=', from)
    .where('lead_date', '<=', to)
    .select((of) => [sql<PlainDate>`lead_date`.as('day'), 'status', of.fn.countAll<number>().as('count')])
    .groupBy(['lead_date', 'status'])
    .execute()
