import type { FastifyReply } from 'fastify'
import type pg from 'pg'
import type { PlainDate } from '#shared/dates.ts'
import type { Reply, Viewer } from '#shared/endpoint.ts'
import type { leadSummary } from '#features/crm/leads/summary.contract.ts'
import { firstYearAmount } from '#features/crm/leads/record/server/amounts.ts'
import { countByDay } from '#features/crm/leads/record/server/lead-counts.ts'
import { matching, type Narrowing } from '#features/crm/leads/record/server/list.queries.ts'
import { queryWhileAwaited } from '#server/http/awaited.ts'

/**
 * Returns the number of all leads that match the filters, and the sums of their amounts, one for each currency. The
 * statement is canceled if the reply is no longer awaited, because it can read most of all leads.
 */
export async function findLeadSums(
  pool: pg.Pool,
  reply: FastifyReply,
  filters: Narrowing,
  viewer: Viewer,
  today: PlainDate,
): Promise<Reply<typeof leadSummary.show>> {
  const { where, values, byDay } = matching(filters, viewer, today)
  const [found] = await queryWhileAwaited<Reply<typeof leadSummary.show>>(
    pool,
    reply,
    `select ${byDay === undefined ? `(select count(*)::int from leads l where ${where})` : `${countByDay(byDay)}::int`} as total,
      (select coalesce(json_agg(s order by s.sum desc, s.currency), '[]') from (
        select l.currency, sum(${firstYearAmount}) as sum, count(*)::int as leads from leads l
        where ${where} and l.currency is not null group by l.currency
      ) s) as data`,
    values,
  )
  return found!
}
