import type pg from 'pg'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { displayRows } from '#shared/page.ts'
import { instantAt } from '#shared/zones.ts'
import { leadsPerPage, type LeadFilters } from '#features/crm/leads/contract.ts'
import type { FollowUpFilters, FollowUpReply, FollowUpRow } from '#features/crm/leads/follow-ups/contract.ts'
import { daysOfTab, mostHidden } from '#features/crm/leads/follow-ups/rules.ts'
import { leadDates } from '#features/crm/leads/rules.ts'
import { rowColumns } from '#features/crm/leads/record/server/lead-columns.ts'
import {
  activeProducts,
  allTags,
  matching,
  orders,
  type Narrowing,
} from '#features/crm/leads/record/server/list.queries.ts'
import { needsFollowUp } from '#features/crm/leads/record/server/needs-follow-up.queries.ts'

/**
 * Returns a page of a queue tab, along with the number of leads in each tab, the active products, and all
 * tags. A page past the end is empty but has the correct total.
 */
export async function findFollowUps(
  pool: pg.Pool,
  filters: FollowUpFilters,
  viewer: Viewer,
  today: PlainDate,
): Promise<FollowUpReply> {
  const [leads, beside, done] = await Promise.all([
    findPage(pool, filters, viewer, today),
    findBeside(pool, filters, viewer, today),
    countDone(pool, filters, viewer, today),
  ])
  const total = beside.tabs[filters.tab]
  return {
    data: { leads, displayRows: displayRows(filters.page, leadsPerPage, leads.length, total) },
    total,
    per_page: leadsPerPage,
    user_product: [...viewer.products],
    ...beside,
    done,
  }
}

/**
 * Sorted by due date, then by priority. The index provides the days in order; only leads with the same day
 * are sorted by priority.
 */
const queueOrder = {
  from: 'l.*, c.position as urgency from leads l join lead_colors c on c.id = l.color',
  inner: 'l.followup_date, c.position desc, l.lead_id',
  outer: 'l.followup_date, l.urgency desc, l.lead_id',
}

/** SQL for the first words of the last note on a lead, or of its last call with a note. */
const lastWords = ({ permissions }: Viewer) =>
  permissions.has('lead_detail')
    ? `coalesce((select left(w.words, 200) from (
        (select n.body as words, n.created_at as at from notes n
          where n.record_type = 'lead' and n.record_id = l.lead_id order by n.id desc limit 1)
        union all
        (select c.note, c.called_at from lead_calls c
          where c.lead_id = l.lead_id and c.note <> '' order by c.id desc limit 1)
      ) w order by w.at desc limit 1), '')`
    : `''`

async function findPage(
  pool: pg.Pool,
  filters: FollowUpFilters,
  viewer: Viewer,
  today: PlainDate,
): Promise<FollowUpRow[]> {
  const { where, place, values } = toFollowUp(filters, viewer, today)
  const { from, inner, outer } =
    filters.column === undefined ? queueOrder : orders[filters.column][filters.direction]
  const days = daysOfTab(filters.tab, today)
  const inTab = [
    where,
    days.from && `l.followup_date >= ${place(days.from)}`,
    days.to && `l.followup_date <= ${place(days.to)}`,
  ]
    .filter(Boolean)
    .join(' and ')
  const { rows } = await pool.query<FollowUpRow>(
    `select ${rowColumns}, l.timezone, ${lastWords(viewer)} as last_words from (select ${from} where ${inTab} order by ${inner} limit ${leadsPerPage} offset ${place((filters.page - 1) * leadsPerPage)}) l order by ${outer}`,
    values,
  )
  return rows
}

type Beside = Pick<FollowUpReply, 'tabs' | 'active_products' | 'all_tags'>

async function findBeside(
  pool: pg.Pool,
  filters: FollowUpFilters,
  viewer: Viewer,
  today: PlainDate,
): Promise<Beside> {
  const { where, place, values } = toFollowUp(filters, viewer, today)
  const day = place(today)
  const { rows } = await pool.query<Beside>(
    `select (select json_build_object('overdue', count(*) filter (where l.followup_date < ${day}), 'today', count(*) filter (where l.followup_date = ${day}),
        'next', count(*) filter (where l.followup_date > ${day})) from leads l where ${where} and l.followup_date <= ${place(daysOfTab('next', today).to)}) as tabs,
      ${activeProducts(values.push(viewer.products))} as active_products, ${allTags} as all_tags`,
    values,
  )
  return rows[0]!
}

/**
 * Counts the viewer’s leads that were due, and whose follow-up or status they have changed today so that they aren’t
 * any longer, in the product of the queue. An action that was undone leaves its lead due, so it doesn’t count.
 */
async function countDone(
  pool: pg.Pool,
  { lead_for }: Pick<FollowUpFilters, 'lead_for'>,
  viewer: Viewer,
  today: PlainDate,
): Promise<number> {
  const { rows } = await pool.query<{ done: number }>(
    `select count(distinct l.lead_id)::int as done
      from operations o join record_changes c on c.operation_id = o.id and c.record_type = 'lead'
      join leads l on l.lead_id = c.record_id
      where o.staff_id = $1 and o.at >= $2 and (c.before ? 'followup_date' or c.before ? 'status')
        and coalesce(c.before->>'followup_date', l.followup_date::text) <= $3
        and l.assign_to = $1 and l.lead_for = any($4) and l.lead_for = coalesce($5, l.lead_for) and l.deleted_at is null
        and not (${needsFollowUp} and coalesce(l.followup_date <= $3::date, false))`,
    [viewer.id, instantAt(today, '00:00', viewer.zone ?? 'UTC'), today, viewer.products, lead_for],
  )
  return rows[0]!.done
}

/**
 * Counts the overdue leads that are hidden from the list only by the period, stopping once the count is high
 * enough to say "more than".
 */
export async function countHidden(
  pool: pg.Pool,
  filters: LeadFilters,
  viewer: Viewer,
  today: PlainDate,
): Promise<{ count: number; more: boolean }> {
  const { from, to } = leadDates(filters, today)
  if (from === undefined && to === undefined) return { count: 0, more: false }
  const { where, place, values } = toFollowUp({ ...filters, fromDate: 'all', toDate: 'all' }, viewer, today)
  const outside = [from && `l.lead_date < ${place(from)}`, to && `l.lead_date > ${place(to)}`]
    .filter(Boolean)
    .join(' or ')
  const { rows } = await pool.query<{ count: number }>(
    `select count(*) from (select from leads l where ${where} and l.followup_date < ${place(today)} and (${outside}) limit ${mostHidden + 1}) hidden`,
    values,
  )
  const count = rows[0]!.count
  return { count: Math.min(count, mostHidden), more: count > mostHidden }
}

/**
 * Builds the condition for leads that match the filters and await a follow-up, which excludes won and rejected
 * leads. Filters by lead date only if one is sent.
 */
function toFollowUp(filters: Narrowing, viewer: Viewer, today: PlainDate) {
  const dates =
    filters.fromDate === undefined && filters.toDate === undefined ? { fromDate: 'all', toDate: 'all' } : {}
  const { where, values } = matching({ ...filters, ...dates }, viewer, today)
  return {
    where: `${where} and ${needsFollowUp}`,
    values,
    place: (value: unknown) => `$${values.push(value)}`,
  }
}
