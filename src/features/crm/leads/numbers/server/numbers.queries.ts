import { sql, type Kysely } from 'kysely'
import { addDays, type PlainDate } from '#shared/dates.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import type { LeadNumbers } from '#features/crm/leads/numbers/contract.ts'
import type { Database } from '#server/db/tables.ts'

const shown = 8

/**
 * Returns due follow-ups and the number of leads by status and month, for the given products; rejected leads
 * need no follow-up.
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
  if (!own.length) return { overdue: none, today: none, next: none, by_status: [], by_month: [] }
  const firstMonth = `${addDays(`${today.slice(0, 7)}-15`, -335).slice(0, 7)}-01`
  const [overdue, dueToday, next, by_status, by_month] = await Promise.all([
    followUps(undefined, addDays(today, -1)),
    followUps(today, today),
    followUps(addDays(today, 1), addDays(today, 7)),
    db
      .selectFrom('lead_statuses as s')
      .leftJoin('leads as l', (join) =>
        join.onRef('l.status', '=', 's.id').on('l.lead_for', 'in', own).on('l.deleted_at', 'is', null),
      )
      .select((of) => ['s.id as status', 's.name', 's.tone', of.fn.count<number>('l.lead_id').as('count')])
      .groupBy(['s.id', 's.name', 's.tone', 's.position'])
      .orderBy('s.position')
      .execute(),
    db
      .selectFrom(
        sql<{ month: string }>`generate_series(${firstMonth}::date, ${today}::date, interval '1 month')`.as(
          'm',
        ),
      )
      .leftJoin('leads as l', (join) =>
        join
          .on(sql<boolean>`l.lead_date >= m and l.lead_date < m + interval '1 month'`)
          .on('l.lead_for', 'in', own)
          .on('l.deleted_at', 'is', null),
      )
      .select((of) => [
        sql<string>`to_char(m, 'YYYY-MM')`.as('month'),
        of.fn.count<number>('l.lead_id').as('count'),
      ])
      .groupBy(sql`m`)
      .orderBy(sql`m`)
      .execute(),
  ])
  return { overdue, today: dueToday, next, by_status, by_month }
}

const none = { total: 0, first: [] }
