import { leadGroups, type LeadFilters, type LeadOptions } from '#features/crm/leads/contract.ts'
import { customFilters } from '#features/crm/leads/list/web/customFilters.tsx'
import { leadFilters, leadGroupFilters } from '#features/crm/leads/list/web/leadFilters.tsx'
import type { LeadLayout } from '#features/crm/leads/list/web/period.ts'
import type { PlainDate } from '#shared/dates.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { choice, type Filter } from '#web/filter/filters.tsx'
import { groupFilter } from '#web/filter/groupFilter.tsx'

/** Returns the filters of the list and the board, those by the custom fields of the product and by groups included. */
export const listFilters = (
  options: LeadOptions,
  now: PlainDate,
  { filters, scope }: { filters: LeadFilters; scope: number | undefined },
  layout: LeadLayout,
): readonly Filter<LeadFilters>[] => [
  ...leadFilters(options, now, layout),
  ...(scope === undefined ? [ofProduct(options)] : []),
  ...customFilters(options, filters, scope),
  groupFilter({
    groups: leadGroups,
    filtersOf: (group) => [...leadGroupFilters(options), ...customFilters(options, group, scope)],
  }),
]

/** A filter for lists with all products. */
const ofProduct = ({ products }: LeadOptions): Filter<LeadFilters> =>
  choice(
    'lead_for',
    leadFields.lead_for.label,
    'All products',
    products.map(({ id, name }) => [id, name]),
    { more: true },
  )
