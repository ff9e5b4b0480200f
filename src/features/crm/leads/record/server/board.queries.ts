import type pg from 'pg'
import { cardLimits, cardsPerPage } from '#shared/board.contract.ts'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { LeadBoardFilters } from '#features/crm/leads/board.contract.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { firstYearAmount } from '#features/crm/leads/record/server/amounts.ts'
import { rowColumns } from '#features/crm/leads/record/server/lead-columns.ts'
import { matching, orders } from '#features/crm/leads/record/server/list.queries.ts'
import { needsFollowUp } from '#features/crm/leads/record/server/needs-follow-up.queries.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import { queryPipelined } from '#server/db/db.ts'

interface Status {
  id: number
  name: string
  tone: string
  is_closed: boolean
  total: number
  overdue: number
  probability: number
  amounts: { currency: string; sum: number; weighted: number }[]
}

/**
 * Returns the leads that match the filters by status, with the first cards of each status in the order of the
 * list, and the totals of all.
 */
export async function findLeadBoard(
  pool: pg.Pool,
  { pages, ...filters }: LeadBoardFilters,
  viewer: Viewer,
  today: PlainDate,
) {
  const { where, values, byDay } = matching(filters, viewer, today)
  const { from, inner, outer } = orders[filters.column][filters.direction]
  const limits = [...cardLimits(pages)]
  const at = values.length
  // A lane per status, each read in the order of the list up to its limit.
  const cards = [
    `select ${rowColumns} from lead_statuses lane
      left join unnest($${at + 1}::int[], $${at + 2}::int[]) as given(lane, most) on given.lane = lane.id
      cross join lateral (select ${from} where ${where} and l.status = lane.id order by ${inner}
        limit coalesce(given.most, ${cardsPerPage})) l
      order by lane.position, ${outer}`,
    [...values, limits.map(([lane]) => lane), limits.map(([, most]) => most)],
  ] as const
  const lanes = [
    `with counted as (${byDay === undefined ? countedOf(where, at + 1) : countedByDay(byDay, where, at + 1)})
      select s.id, s.name, s.tone, s.is_won or s.id = ${rejectedStatus} as is_closed,
      coalesce(n.total, 0)::int as total, coalesce(n.overdue, 0)::int as overdue, s.probability,
      coalesce(n.amounts, '[]') as amounts
      from lead_statuses s left join lateral (select sum(c.total) as total, sum(c.overdue) as overdue,
        json_agg(json_build_object('currency', c.currency, 'sum', c.sum,
          'weighted', round(c.sum * s.probability / 100, 2)) order by c.sum desc, c.currency)
          filter (where c.currency is not null) as amounts
        from counted c where c.status = s.id) n on true
      order by s.position, s.name`,
    [...values, today],
  ] as const
  const [rows, statuses] = await queryPipelined<[LeadRow, Status]>(pool, cards, lanes)
  return {
    data: statuses.map((status) => ({
      ...status,
      overdue: status.is_closed ? 0 : status.overdue,
      cards: rows.filter((row) => row.status === status.id),
    })),
    total: statuses.reduce((sum, { total }) => sum + total, 0),
  }
}

/**
 * Builds SQL for the number of leads by status and currency, for those of them whose follow-up is overdue, and for their
 * amounts. `today` is the place of its parameter.
 */
const countedOf = (where: string, today: number) =>
  `select l.status, l.currency, count(*) as total, count(*) filter (where l.followup_date < $${today}) as overdue,
    sum(${firstYearAmount}) as sum
    from leads l where ${where} group by l.status, l.currency`

/**
 * Builds the same SQL for all leads of products and days: their numbers are kept, and indexes have the few columns that the
 * others need, so that no lead is read. An open lead whose follow-up is overdue is to be followed up.
 */
const countedByDay = (byDay: string, where: string, today: number) =>
  `select l.status, null as currency, sum(l.change) as total, 0 as overdue, null::numeric as sum
    from lead_counts l where ${byDay} group by l.status
  union all select l.status, null, 0, count(*), null
    from leads l where ${where} and ${needsFollowUp} and l.followup_date < $${today} group by l.status
  union all select l.status, l.currency, 0, 0, sum(${firstYearAmount})
    from leads l where ${where} and l.currency is not null group by l.status, l.currency`
