import type pg from 'pg'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { displayRows, mostCounted } from '#shared/page.ts'
import type { Product } from '#shared/products.ts'
import { queryPipelined } from '#server/db/db.ts'
import {
  leadsPerPage,
  sortColumns,
  type LeadFilters,
  type LeadListReply,
  type LeadRow,
} from '#features/crm/leads/contract.ts'
import { leadDates } from '#features/crm/leads/rules.ts'
import { countByDay } from '#features/crm/leads/record/server/lead-counts.ts'
import { rowColumns } from '#features/crm/leads/record/server/lead-columns.ts'
import { enteredOn, leadConditions, matchesAny } from '#features/crm/leads/record/server/lead-conditions.ts'

/*
 * The panel's most heavily used list: its two statements are built as text, which takes 8 µs instead of
 * Kysely's 35. Use another list as a template if speed isn't critical.
 */

interface Beside {
  total: number
  active_products: Product[]
  all_tags: LeadListReply['all_tags']
}

/**
 * Returns a page of the leads that match the filters, along with the total, the active products, and all
 * tags. A page past the end is empty but has the correct total.
 */
export async function findLeads(
  pool: pg.Pool,
  { count = 'exact', ...filters }: LeadFilters & { count?: 'exact' | 'capped' },
  viewer: Viewer,
  today: PlainDate,
): Promise<LeadListReply> {
  const { where, values, byDay } = matching(filters, viewer, today)
  const offset = (filters.page - 1) * leadsPerPage
  // Leads per product and day have their counts (decision 008). A page beyond the cap needs the exact number.
  const isCapped = count === 'capped' && byDay === undefined && offset + leadsPerPage <= mostCounted
  const { from, joins, inner, reversed, outer } = orders[filters.column][filters.direction]
  // Select the IDs of the twenty leads first, which an index alone can find; otherwise, the rows of all leads that the
  // filters or the offset skip would be read.
  const page = (order: string, limit: number, offset: number) =>
    [
      `select ${rowColumns} from (select ${from} where l.lead_id = any(array(
        select l.lead_id from leads l${joins} where ${where} order by ${order} limit ${limit} offset $${values.length + 1}
      ))) l order by ${outer}`,
      [...values, offset],
    ] as const
  const around = (total: string, using: readonly unknown[]) =>
    [
      `select ${total} as total, ${activeProducts(using.length + 1)} as active_products, ${allTags} as all_tags`,
      [...using, viewer.products],
    ] as const
  const counted = around(byDay === undefined ? countOf(where, isCapped) : countByDay(byDay), values)
  const read = async (): Promise<[LeadRow[], Beside[]]> => {
    const here = page(inner, leadsPerPage, offset)
    if (isCapped) {
      const [rows] = await queryPipelined<[LeadRow]>(pool, here)
      // A page that isn't full is the last one, so its leads needn't be looked for once more to be counted.
      const isLast = rows.length < leadsPerPage && (rows.length > 0 || offset === 0)
      const [beside] = await queryPipelined<[Beside]>(
        pool,
        isLast ? around('$1::int', [offset + rows.length]) : counted,
      )
      return [rows, beside]
    }
    if (offset < farOffset) return queryPipelined<[LeadRow, Beside]>(pool, here, counted)
    const [beside] = await queryPipelined<[Beside]>(pool, counted)
    const left = beside[0]!.total - offset
    if (left <= 0) return [[], beside]
    // Past the middle, the page is nearer to the other end.
    const nearer =
      left > offset ? here : page(reversed, Math.min(left, leadsPerPage), Math.max(0, left - leadsPerPage))
    const [rows] = await queryPipelined<[LeadRow]>(pool, nearer)
    return [rows, beside]
  }
  const [rows, beside] = await read()
  const { total, active_products, all_tags } = beside[0]!
  const isMore = isCapped && total > mostCounted
  const shown = displayRows(filters.page, leadsPerPage, rows.length, isMore ? mostCounted : total)
  return {
    data: { leads: rows, displayRows: isMore ? `${shown}+` : shown },
    total,
    ...(isMore ? { total_is_capped: true as const } : {}),
    per_page: leadsPerPage,
    user_product: [...viewer.products],
    active_products,
    all_tags,
  }
}

/** Builds SQL for the number of leads that match; a capped one is counted up to the first lead beyond the cap. */
const countOf = (where: string, isCapped: boolean) =>
  isCapped
    ? `(select count(*) from (select from leads l where ${where} limit ${mostCounted + 1}) counted)`
    : `(select count(*) from leads l where ${where})`

/** From this offset on, fetching a page waits for the total and then reads from the nearer end. */
const farOffset = 50 * leadsPerPage

/** Builds SQL for the products in the switcher: status 1 and assigned to the viewer (A §1). */
export const activeProducts = (place: number) =>
  `(select coalesce(json_agg(json_build_object('id', id, 'slug', slug, 'name', name, 'status', status) order by id), '[]') from products where status = 1 and id = any($${place}))`
export const allTags = `(select coalesce(json_agg(json_build_object('id', id, 'name', name) order by position, name), '[]') from lead_tags)`

/**
 * The filters that determine which leads are listed; the remaining parameters determine how the leads are
 * shown.
 */
export type Narrowing = Omit<LeadFilters, 'page' | 'column' | 'direction'>

interface Matching {
  where: string
  values: unknown[]
  /** The conditions on product and date, if there are no other conditions. */
  byDay: string | undefined
}

/**
 * Builds the SQL condition for the filters (docs/product.md#lead-filters), always limited to the viewer's
 * products. Values are always passed as parameters.
 */
export function matching(filters: Narrowing, viewer: Viewer, today: PlainDate): Matching {
  const values: unknown[] = []
  const ofProduct =
    filters.lead_for === undefined
      ? `l.lead_for = any($${values.push(viewer.products)})`
      : `l.lead_for = $${values.push(filters.lead_for)}`
  const byDay = [ofProduct, ...enteredOn(leadDates(filters, today), values)]
  const others = leadConditions(filters, viewer, today, values)
  if (filters.or) others.push(matchesAny(filters.or, viewer, today, values))
  return {
    where: ['l.deleted_at is null', ...byDay, ...others].join(' and '),
    values,
    byDay: others.length === 0 ? byDay.join(' and ') : undefined,
  }
}

type SortColumn = (typeof sortColumns)[number]

/**
 * Sort expression for each column: names ignore case, statuses and colors are sorted by position, and empty
 * values come last. `nulls last` is used only for columns that can be empty, because elsewhere it would
 * prevent the use of indexes.
 */
const sortings: Record<SortColumn, { by: string; canBeEmpty?: true; joins?: string }> = {
  lead_id: { by: 'l.lead_id' },
  companyName: { by: 'lower(l.company_name)' },
  contactName: { by: 'lower(l.contact_name)' },
  country: { by: 'lower(l.country)' },
  lead_date: { by: 'l.lead_date' },
  request_date: { by: 'l.request_date', canBeEmpty: true },
  followup_date: { by: 'l.followup_date', canBeEmpty: true },
  expected_close: { by: 'l.expected_close', canBeEmpty: true },
  status: { by: 'o.position', joins: ' join lead_statuses o on o.id = l.status' },
  color: { by: 'o.position', joins: ' join lead_colors o on o.id = l.color' },
  lead_type: { by: 'l.lead_type' },
  assign_to: {
    by: `lower(o.name)`,
    canBeEmpty: true,
    joins: ' left join staff o on o.id = l.assign_to',
  },
  updated_at: { by: 'l.updated_at' },
}

/**
 * SQL by column and direction: the source of a page, the tables joined to it, its sort order, the same order read from the other end,
 * and the outer sort order; ties are broken by ID.
 */
export const orders = Object.fromEntries(
  sortColumns.map((column) => {
    const { by, canBeEmpty, joins = '' } = sortings[column]
    const inDirection = (direction: 'asc' | 'desc') => {
      const opposite = direction === 'asc' ? 'desc' : 'asc'
      const end = `${direction}${canBeEmpty ? ' nulls last' : ''}, l.lead_id ${direction}`
      return {
        from: `l.*, ${by} as sorted_by from leads l${joins}`,
        joins,
        inner: `${by} ${end}`,
        reversed: `${by} ${opposite}${canBeEmpty ? ' nulls first' : ''}, l.lead_id ${opposite}`,
        outer: `l.sorted_by ${end}`,
      }
    }
    return [column, { asc: inDirection('asc'), desc: inDirection('desc') }]
  }),
) as Record<
  SortColumn,
  Record<'asc' | 'desc', { from: string; joins: string; inner: string; reversed: string; outer: string }>
>
