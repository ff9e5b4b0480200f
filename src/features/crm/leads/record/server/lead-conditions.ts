import { isAdminRole } from '#shared/access.ts'
import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { instantAt } from '#shared/zones.ts'
import { leadGroups, type LeadGroup } from '#features/crm/leads/contract.ts'
import { scheduledStatus } from '#features/crm/leads/demos.rules.ts'
import { emptiable, readEmptyFilter, type EmptyFilter } from '#features/crm/leads/empty-filters.rules.ts'
import { followupRange, rejectedStatus } from '#features/crm/leads/rules.ts'
import { choiceConditions } from '#features/crm/leads/record/server/choice-conditions.ts'
import { hasCustomValues } from '#features/crm/leads/record/server/custom-conditions.ts'
import { isStuck } from '#features/crm/leads/record/server/lead-columns.ts'
import { happened } from '#features/crm/leads/record/server/status-changes.ts'
import { unpreparedMark } from '#server/db/connection.ts'
import { anyGroup, handledElsewhere, phoneForms, wordsOf, type PerFilter } from '#server/record/list.ts'

/**
 * Builds the SQL conditions on leads `l` for the filters other than products, dates of entry, and groups, and adds their
 * values (docs/product.md#lead-filters).
 */
export function leadConditions(
  filters: Omit<LeadGroup, 'fromDate' | 'toDate'>,
  viewer: Viewer,
  today: PlainDate,
  values: unknown[],
): string[] {
  const conditions: string[] = []
  const keep = (column: string, comparison: string, value: unknown, end = '') => {
    if (value !== undefined) conditions.push(`${column} ${comparison} $${values.push(value)}${end}`)
  }
  const keepWhere = (condition: string | undefined) => {
    if (condition !== undefined) conditions.push(condition)
  }
  const byFilter: PerFilter<LeadGroup, void> = {
    ...handledApart,
    ...choiceConditions(keepWhere, values),
    ...rangeConditions(keep),
    search: (text) => keepWhere(found(text, values)),
    status: (status) => keep('l.status', '=', status),
    color: (color) => keep('l.color', '=', color),
    status_from: (day) => keepWhere(statusSet('>=', day, viewer, values)),
    status_to: (day) => keepWhere(statusSet('<', addDays(day, 1), viewer, values)),
    created_from: (day) => keep('l.created_at', '>=', instantAt(day, '00:00', viewer.zone ?? 'UTC')),
    created_to: (day) => keep('l.created_at', '<', instantAt(addDays(day, 1), '00:00', viewer.zone ?? 'UTC')),
    contact_role: (role) => keepWhere(hasContactRole(role, values)),
    untouched_days: (count) => keepWhere(untouchedSince(addDays(today, 1 - count), viewer, values)),
    stuck_filter: (kind) => keepWhere(kind === 'stuck' ? isStuck : undefined),
    reject_reason: (reason) => keep('l.reject_reason_id', '=', reason),
    outcome_filter: (outcome) => {
      if (outcome !== 'all') keepWhere(outcome === 'open' ? isOpen : isClosed)
    },
    amount_filter: (kind) => {
      if (kind !== 'all') keepWhere(hasOrLacks(`amount:${kind === 'with' ? 'filled' : 'empty'}`))
    },
    currency: (currency) => keep('l.currency', '=', currency),
    close_filter: (kind) => keepWhere(kind === 'none' ? hasOrLacks('expected_close:empty') : undefined),
    demo_filter: (status) => keep('l.demo_status', '=', unlessAll(status)),
    software_filter: (service) => keep('l.services', '=', unlessAll(service)),
    source_filter: (source) => {
      if (source === 'none') return keepWhere(hasOrLacks('hear_about:empty'))
      keep('l.hear_about', '=', unlessAll(source))
    },
    field_filter: (chosen) => keepWhere(`${chosen.map(hasOrLacks).join(' and ')} ${unpreparedMark}`),
    next_step_filter: (kind) => keepWhere(kind === 'none' ? hasNoNextStep(today, viewer, values) : undefined),
    custom_filter: (chosen) => keepWhere(hasCustomValues(chosen, values)),
    event: (event) => keepWhere(happened(event, filters, viewer, values)),
    lead_filter: (type) => keep('l.lead_type', '=', unlessAll(type)),
    import_id: (id) => keepWhere(importedBy(id, viewer, values)),
    crm_id: (staff_id) => keep('l.assign_to', '=', staff_id),
    assigned_filter: (whose) => {
      if (whose === 'mine') keep('l.assign_to', '=', viewer.id)
      if (whose === 'assigned') keepWhere(hasOrLacks('assign_to:filled'))
      // Often few leads, which an index on assignees has.
      if (whose === 'unassigned') keepWhere('l.assign_to is null')
    },
    followup_filter: (range) => {
      const due = followupRange(range, today)
      if (due === 'none') return keepWhere(hasOrLacks('followup_date:empty'))
      keep('l.followup_date', '>=', due.from)
      keep('l.followup_date', '<=', due.to)
    },
    tags_filter: (chosen) => {
      const tags = chosen.filter((tag) => tag !== 0)
      if (tags.length) keep(hasTag, '= any(', tags, '))')
    },
    tags_not: (chosen) => {
      const tags = chosen.filter((tag) => tag !== 0)
      if (tags.length) keep(`not ${hasTag}`, '= any(', tags, '))')
    },
  }
  const wanted: Readonly<Record<string, unknown>> = filters
  for (const [name, keepFilter] of Object.entries<(value: any) => void>(byFilter))
    if (wanted[name] !== undefined && wanted[name] !== '') keepFilter(wanted[name])
  return conditions
}

/** The columns of filters by a range, both ends included; leads without a value are out of it. */
const ranges = {
  follow_up: 'l.followup_date',
  request: 'l.request_date',
  implement: 'l.implement_date',
  close: 'l.expected_close',
  amount: 'l.amount',
} as const

const rangeConditions = (keep: (column: string, comparison: string, value: unknown) => void) =>
  Object.fromEntries(
    Object.entries(ranges).flatMap(([name, column]) => [
      [`${name}_from`, (end: unknown) => keep(column, '>=', end)],
      [`${name}_to`, (end: unknown) => keep(column, '<=', end)],
    ]),
  ) as Record<`${keyof typeof ranges}_${'from' | 'to'}`, (end: unknown) => void>

/** Builds the conditions on the day when a lead was created, and adds their values. */
export const enteredOn = (
  { from, to }: { from?: PlainDate | undefined; to?: PlainDate | undefined },
  values: unknown[],
): string[] => [
  ...(from === undefined ? [] : [`l.lead_date >= $${values.push(from)}`]),
  ...(to === undefined ? [] : [`l.lead_date <= $${values.push(to)}`]),
]

/** Builds the condition that a lead matches at least one group, and adds its values. */
export const matchesAny = (
  groups: readonly string[],
  viewer: Viewer,
  today: PlainDate,
  values: unknown[],
): string =>
  anyGroup(
    groups.map((text) => {
      const group = leadGroups.read(text)
      return [
        ...enteredOn({ from: group.fromDate, to: group.toDate }, values),
        ...leadConditions(group, viewer, today, values),
      ]
    }),
  )

const handledApart = {
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

/** Builds the condition that a contact of a lead has a role, and adds its values. */
function hasContactRole(role: string, values: unknown[]): string {
  const same = `lower($${values.push(role)})`
  return `(lower(l.contact_role) = ${same} and l.contact_role <> '' or l.lead_id = any(array(select c.lead_id from lead_contacts c
    where lower(c.role) = ${same} and c.role <> ''))) ${unpreparedMark}`
}

/**
 * Builds the condition that an import created or changed a lead, and adds its values. The imports of others have leads
 * only for roles 0 and 1, as on their pages.
 */
function importedBy(id: number, viewer: Viewer, values: unknown[]): string {
  const isOwn = isAdminRole(viewer.role_id) ? '' : ` and i.staff_id = $${values.push(viewer.id)}`
  return `l.lead_id = any(array(select r.lead_id from lead_import_rows r join lead_imports i on i.id = r.import_id
    where r.import_id = $${values.push(id)} and r.outcome in ('create', 'update') and r.done_at is not null${isOwn}))`
}

/** Builds the condition that nothing happened to a lead since a day, and adds its values; its history is the log. */
function untouchedSince(day: PlainDate, { zone = 'UTC' }: Viewer, values: unknown[]): string {
  const since = `$${values.push(instantAt(day, '00:00', zone))}`
  return `l.created_at < ${since} and not exists (select from audit_log a
    where a.target_type = 'lead' and a.target_id = l.lead_id and a.at >= ${since})`
}

/** Returns the condition that a field has no value, or has one: read from the index of days (migrations 0302, 0325). */
function hasOrLacks(filter: EmptyFilter): string {
  const { field, isEmpty } = readEmptyFilter(filter)
  const bit = emptiable[field]
  if (bit !== null) return `(l.filled & ${1 << bit}) ${isEmpty ? '=' : '<>'} 0`
  return `${isEmpty ? 'not ' : ''}l.has_tags`
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
