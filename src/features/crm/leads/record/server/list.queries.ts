import type pg from 'pg'
import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { displayRows, mostCounted } from '#shared/page.ts'
import type { Product } from '#shared/products.ts'
import { instantAt } from '#shared/zones.ts'
import { unpreparedMark } from '#server/db/connection.ts'
import { queryPipelined } from '#server/db/db.ts'
import {
  leadsPerPage,
  sortColumns,
  type LeadFilters,
  type LeadListReply,
  type LeadRow,
} from '#features/crm/leads/contract.ts'
import { scheduledStatus } from '#features/crm/leads/demos.rules.ts'
import { emptiable, readEmptyFilter, type EmptyFilter } from '#features/crm/leads/empty-filters.rules.ts'
import { followupRange, leadDates, rejectedStatus } from '#features/crm/leads/rules.ts'
import { hasCustomValues } from '#features/crm/leads/record/server/custom-conditions.ts'
import { countByDay } from '#features/crm/leads/record/server/lead-counts.ts'
import { happened } from '#features/crm/leads/record/server/status-changes.ts'
import { handledElsewhere, phoneForms, wordsOf, type PerFilter } from '#server/record/list.ts'
import { isStuck, rowColumns } from '#features/crm/leads/record/server/lead-columns.ts'

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
  const notDeleted = 'l.deleted_at is null'
  let where = notDeleted
  const keep = (column: string, comparison: string, value: unknown, end = '') => {
    if (value === undefined) return
    values.push(value)
    where += ` and ${column} ${comparison} $${values.length}${end}`
  }
  const keepWhere = (condition: string | undefined) => {
    if (condition !== undefined) where += ` and ${condition}`
  }
  if (filters.lead_for === undefined) keep('l.lead_for', '= any(', viewer.products, ')')
  else keep('l.lead_for', '=', filters.lead_for)
  const dates = leadDates(filters, today)
  keep('l.lead_date', '>=', dates.from)
  keep('l.lead_date', '<=', dates.to)
  const ofDays = where
  const byFilter: PerFilter<Narrowing, void> = {
    ...handledApart,
    search: (text) => keepWhere(found(text, values)),
    status: (status) => keep('l.status', '=', status),
    color: (color) => keep('l.color', '=', color),
    follow_up_from: (day) => keep('l.followup_date', '>=', day),
    follow_up_to: (day) => keep('l.followup_date', '<=', day),
    request_from: (day) => keep('l.request_date', '>=', day),
    request_to: (day) => keep('l.request_date', '<=', day),
    status_from: (day) => keepWhere(statusSet('>=', day, viewer, values)),
    status_to: (day) => keepWhere(statusSet('<', addDays(day, 1), viewer, values)),
    untouched_days: (count) => keepWhere(untouchedSince(addDays(today, 1 - count), viewer, values)),
    stuck_filter: (kind) => keepWhere(kind === 'stuck' ? isStuck : undefined),
    reject_reason: (reason) => keep('l.reject_reason_id', '=', reason),
    outcome_filter: (outcome) => {
      if (outcome !== 'all') keepWhere(outcome === 'open' ? isOpen : isClosed)
    },
    amount_filter: (kind) => {
      if (kind !== 'all') keepWhere(`l.amount is ${kind === 'with' ? 'not null' : 'null'}`)
    },
    currency: (currency) => keep('l.currency', '=', currency),
    close_from: (day) => keep('l.expected_close', '>=', day),
    close_to: (day) => keep('l.expected_close', '<=', day),
    close_filter: (kind) => keepWhere(kind === 'none' ? 'l.expected_close is null' : undefined),
    demo_filter: (status) => keep('l.demo_status', '=', unlessAll(status)),
    software_filter: (service) => keep('l.services', '=', unlessAll(service)),
    source_filter: (source) => {
      if (source === 'none') return keepWhere('l.hear_about is null')
      keep('l.hear_about', '=', unlessAll(source))
    },
    field_filter: (chosen) => keepWhere(`${chosen.map(hasOrLacks).join(' and ')} ${unpreparedMark}`),
    next_step_filter: (kind) => keepWhere(kind === 'none' ? hasNoNextStep(today, viewer, values) : undefined),
    custom_filter: (chosen) => keepWhere(hasCustomValues(chosen, values)),
    event: (event) => keepWhere(happened(event, filters, viewer, values)),
    lead_filter: (type) => keep('l.lead_type', '=', unlessAll(type)),
    crm_id: (staff_id) => keep('l.assign_to', '=', staff_id),
    assigned_filter: (whose) => {
      if (whose === 'mine') keep('l.assign_to', '=', viewer.id)
      if (whose === 'assigned') keepWhere('l.assign_to is not null')
      if (whose === 'unassigned') keepWhere('l.assign_to is null')
    },
    followup_filter: (range) => {
      const due = followupRange(range, today)
      if (due === 'none') return keepWhere('l.followup_date is null')
      keep('l.followup_date', '>=', due.from)
      keep('l.followup_date', '<=', due.to)
    },
    tags_filter: (chosen) => {
      const tags = chosen.filter((tag) => tag !== 0)
      if (tags.length) keep(hasTag, '= any(', tags, '))')
    },
  }
  const wanted: Readonly<Record<string, unknown>> = filters
  for (const [name, keepFilter] of Object.entries<(value: any) => void>(byFilter))
    if (wanted[name] !== undefined && wanted[name] !== '') keepFilter(wanted[name])
  return { where, values, byDay: where === ofDays ? where.slice(`${notDeleted} and `.length) : undefined }
}

const handledApart = {
  lead_for: handledElsewhere,
  today: handledElsewhere,
  fromDate: handledElsewhere,
  toDate: handledElsewhere,
  event_status: handledElsewhere,
  event_from: handledElsewhere,
  event_to: handledElsewhere,
  event_by: handledElsewhere,
  event_reason: handledElsewhere,
}
const hasTag = 'exists (select from lead_tag_links t where t.lead_id = l.lead_id and t.tag_id'

/**
 * Builds the condition on the search and adds its values; the same as `matchesSearch`. The few leads whose contacts are
 * beyond the text in the index of days are found by another index, as an array, which a scan of either index can use.
 */
function found(text: string, values: unknown[]): string {
  const contains = (word: string) => {
    const pattern = `search_pattern($${values.push(word)})`
    return `(l.search like ${pattern} or l.lead_id = any(array(select c.lead_id from leads c
      where c.contacts_search like ${pattern} and c.deleted_at is null)))`
  }
  const all = wordsOf(text).map(contains).join(' and ')
  return `(${[all, ...phoneForms(text).map(contains)].join(' or ')}) ${unpreparedMark}`
}

/**
 * Builds the condition on the day since which a lead has its status, and adds its values; a lead whose status never
 * changed has it since its lead date.
 */
function statusSet(
  comparison: '>=' | '<',
  day: PlainDate,
  { zone = 'UTC' }: Viewer,
  values: unknown[],
): string {
  const count = values.push(instantAt(day, '00:00', zone), day)
  return `(l.status_at ${comparison} $${count - 1} or l.status_at is null and l.lead_date ${comparison} $${count})`
}

/** Builds the condition that nothing happened to a lead since a day, and adds its values; its history is the log. */
function untouchedSince(day: PlainDate, { zone = 'UTC' }: Viewer, values: unknown[]): string {
  const since = `$${values.push(instantAt(day, '00:00', zone))}`
  return `l.created_at < ${since} and not exists (select from audit_log a
    where a.target_type = 'lead' and a.target_id = l.lead_id and a.at >= ${since})`
}

/** Returns the condition that a field has no value, or has one: read from the index of days (migration 0302). */
function hasOrLacks(filter: EmptyFilter): string {
  const { field, isEmpty } = readEmptyFilter(filter)
  const bit = emptiable[field]
  if (bit !== null) return `(l.filled & ${1 << bit}) ${isEmpty ? '=' : '<>'} 0`
  return `${isEmpty ? 'not ' : ''}exists (select from lead_tag_links t where t.lead_id = l.lead_id)`
}

/** Builds the condition that an open lead has neither a follow-up date nor a session ahead, and adds its values. */
function hasNoNextStep(today: PlainDate, { zone = 'UTC' }: Viewer, values: unknown[]): string {
  const since = `$${values.push(instantAt(today, '00:00', zone))}`
  return `${isOpen} and ${hasOrLacks('followup_date:empty')} and not exists (select from lead_demos d
    where d.lead_id = l.lead_id and d.status = ${scheduledStatus} and d.final_date >= ${since})`
}

/** Condition for leads that are neither won nor rejected, so that it can be read from an index on the status. */
const isOpen = `l.status in (select id from lead_statuses where not is_won and id <> ${rejectedStatus})`
/** Condition for leads that are won or rejected. */
export const isClosed = `(l.status = ${rejectedStatus} or l.status in (select id from lead_statuses where is_won))`

const unlessAll = (value: string) => (value === 'all' ? undefined : value)

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
