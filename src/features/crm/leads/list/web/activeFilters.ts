import type { LeadFilters, LeadOptions } from '#features/crm/leads/contract.ts'
import { demoStates, followupFilters, leadTypes } from '#features/crm/leads/rules.ts'
import { named } from '#features/crm/leads/cells/web/LeadOptions.tsx'
import { daysOf, periodId, periods, rangeText } from '#features/crm/leads/list/web/period.ts'
import { noFilters, type Change } from '#features/crm/leads/list/web/useLeadFilters.ts'
import type { ActiveFilter } from '#web/list/FilterBar.tsx'
import { today } from '#web/time.ts'

const assignments = { mine: 'me', assigned: 'somebody', unassigned: 'nobody' }

/** Everything that narrows the list now, in words, each with the way to remove it. */
export function activeFilters(filters: LeadFilters, options: LeadOptions, onChange: (change: Change) => void): ActiveFilter[] {
  const active: ActiveFilter[] = []
  const add = (text: string, ...names: (keyof typeof noFilters)[]) =>
    active.push({ id: names[0]!, text, clear: () => onChange(Object.fromEntries(names.map((name) => [name, noFilters[name]]))) })

  if (filters.search) add(`Search: ${filters.search}`, 'search')
  if (filters.status !== undefined) add(`Status: ${named(options.statuses, filters.status).name}`, 'status')
  const now = today()
  const period = periodId(filters, now)
  if (period !== 'all') {
    const { from, to } = daysOf(filters, now)
    add(`Period: ${periods(now).find(({ id }) => id === period)?.label ?? rangeText(from, to)}`, 'fromDate', 'toDate')
  }
  if (filters.followup_filter !== 10) add(`Follow-up: ${followupFilters[filters.followup_filter]}`, 'followup_filter')
  if (filters.color !== undefined) add(`Priority: ${named(options.colors, filters.color).name}`, 'color')
  if (filters.demo_filter !== 'all') add(`Demo: ${demoStates[Number(filters.demo_filter) as 0]}`, 'demo_filter')
  if (filters.software_filter !== 'all') add(`Service: ${filters.software_filter}`, 'software_filter')
  if (filters.lead_filter !== 'all') add(`Type: ${leadTypes[Number(filters.lead_filter) as 1]}`, 'lead_filter')
  if (filters.assigned_filter !== 'all') add(`Assigned to: ${assignments[filters.assigned_filter]}`, 'assigned_filter')
  if (filters.crm_id !== undefined) add(`Person: ${named(options.staff, filters.crm_id).name}`, 'crm_id')
  if (filters.follow_up_from || filters.follow_up_to)
    add(`Follow-up date: ${rangeText(filters.follow_up_from, filters.follow_up_to)}`, 'follow_up_from', 'follow_up_to')
  if (filters.request_from || filters.request_to) add(`Request date: ${rangeText(filters.request_from, filters.request_to)}`, 'request_from', 'request_to')
  const tags = (filters.tags_filter ?? []).filter((id) => id !== 0)
  if (tags.length) add(`Tags: ${tags.map((id) => named(options.tags, id).name).join(' or ')}`, 'tags_filter')
  return active
}
