import { CompiledQuery } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Reply, Viewer } from '#shared/endpoint.ts'
import type { leadSummary } from '#features/crm/leads/summary.contract.ts'
import { firstYearAmount } from '#features/crm/leads/record/server/amounts.ts'
import { matching, type Narrowing } from '#features/crm/leads/record/server/list.queries.ts'
import type { Db } from '#server/db/db.ts'

type Sum = Reply<typeof leadSummary.show>['data'][number]

/** Returns the sums of the amounts of all leads that match the filters, one for each currency. */
export async function findLeadSums(
  db: Db,
  filters: Narrowing,
  viewer: Viewer,
  today: PlainDate,
): Promise<Sum[]> {
  const { where, values } = matching(filters, viewer, today)
  const { rows } = await db.executeQuery<Sum>(
    CompiledQuery.raw(
      `select l.currency, sum(${firstYearAmount}) as sum, count(*)::int as leads from leads l
        where ${where} and l.currency is not null group by l.currency order by sum desc, l.currency`,
      values,
    ),
  )
  return rows
}
