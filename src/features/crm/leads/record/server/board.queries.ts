import type pg from 'pg'
import { cardLimits, cardsPerPage } from '#shared/board.contract.ts'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { LeadBoardFilters } from '#features/crm/leads/board.contract.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { rowColumns } from '#features/crm/leads/record/server/lead-columns.ts'
import { matching, orders } from '#features/crm/leads/record/server/list.queries.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import { queryPipelined } from '#server/db/db.ts'

interface Status {
  id: number
  name: string
  tone: string
  is_closed: boolean
  total: number
  overdue: number
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
  const { where, values } = matching(filters, viewer, today)
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
    `select s.id, s.name, s.tone, s.is_won or s.id = ${rejectedStatus} as is_closed,
      coalesce(n.total, 0)::int as total, coalesce(n.overdue, 0)::int as overdue
      from lead_statuses s left join (select l.status, count(*) as total,
        count(*) filter (where l.followup_date < $${at + 1}) as overdue
        from leads l where ${where} group by l.status) n on n.status = s.id
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
