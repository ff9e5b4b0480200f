import {
  leadFilterValues,
  noName,
  type ChoiceField,
  type ChoiceFilter,
} from '#features/crm/leads/choice-filters.contract.ts'
import type { LeadGroup, LeadOptions } from '#features/crm/leads/contract.ts'
import { billings, demoStates, leadTypes } from '#features/crm/leads/rules.ts'
import { currencies } from '#shared/currencies.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { choices, type Choice, type ChoiceList } from '#web/filter/choices.tsx'
import type { Filter } from '#web/filter/filters.tsx'

type LeadFilter = Filter<LeadGroup>

const byId = (entries: readonly { id: number; name: string }[]) =>
  entries.map(({ id, name }): Choice => [String(id), name])
const asNamed = (names: readonly string[]) => names.map((name): Choice => [name, name])

/** The filter of the specification for a single value, which links and saved views have too. */
interface Single {
  field:
    | 'status'
    | 'color'
    | 'reject_reason'
    | 'currency'
    | 'demo_filter'
    | 'software_filter'
    | 'source_filter'
    | 'lead_filter'
  /** The value of the filter that stands for all leads. */
  all?: 'all'
  /** The value that it doesn’t have. */
  not?: string
}

const fieldsByNumber: ReadonlySet<ChoiceField> = new Set([
  'status',
  'color',
  'assignee',
  'reject_reason',
  'creator',
  'demo',
  'type',
])
const singlesByNumber: ReadonlySet<Single['field']> = new Set(['status', 'color', 'reject_reason'])

/** Returns the change of the filter of a field, or of its opposite, to these values. */
function severalOf(name: ChoiceFilter, values: readonly string[]): Partial<LeadGroup> {
  const field = name.slice(0, -'_any'.length) as ChoiceField
  const all = fieldsByNumber.has(field) ? values.map(Number) : values
  return { [name]: all.length > 0 ? all : undefined }
}

const textsIn = (filters: LeadGroup, name: ChoiceFilter): readonly string[] | undefined =>
  filters[name]?.map(String)

function byField(
  name: ChoiceField,
  list: ChoiceList & { more?: boolean },
  { field, all, not }: Partial<Single> = {},
): LeadFilter {
  const single = (filters: LeadGroup) => {
    const value = field && filters[field]
    return value === undefined || value === all ? [] : [String(value)]
  }
  const toSingle = (value: string | undefined) =>
    field && { [field]: value === undefined ? all : singlesByNumber.has(field) ? Number(value) : value }
  return choices({
    more: true,
    ...list,
    id: field ?? name,
    chosenOf: (filters) => ({
      any: textsIn(filters, `${name}_any`) ?? single(filters),
      not: textsIn(filters, `${name}_not`) ?? [],
    }),
    changeTo: ({ any: chosen, not: left }) => {
      const isSingle = field !== undefined && chosen.length === 1 && chosen[0] !== not
      return {
        ...toSingle(isSingle ? chosen[0] : undefined),
        ...severalOf(`${name}_any`, isSingle ? [] : chosen),
        ...severalOf(`${name}_not`, left),
      }
    },
  })
}

const findValues = (field: 'countries' | 'timezones') => () => ({
  ...queryOptionsFor(leadFilterValues.show),
  select: (values: Record<typeof field, string[]>) => asNamed(values[field]),
})

export const statusFilter = ({ statuses }: LeadOptions): LeadFilter =>
  byField(
    'status',
    { label: 'Status', any: 'All statuses', options: byId(statuses), more: false },
    { field: 'status' },
  )

export const priorityFilter = ({ colors }: LeadOptions): LeadFilter =>
  byField('color', { label: 'Priority', any: 'Any priority', options: byId(colors) }, { field: 'color' })

/** Filters by the other fields with a choice, in the order of the panel. */
export const choiceFilters = (options: LeadOptions): readonly LeadFilter[] => [
  byField(
    'reject_reason',
    {
      label: 'Reject reason',
      any: 'Any reason',
      options: [['0', 'No reason'], ...byId(options.reject_reasons)],
    },
    { field: 'reject_reason', not: '0' },
  ),
  byField(
    'demo',
    { label: 'Demo', any: 'Any demo status', options: Object.entries(demoStates) },
    { field: 'demo_filter', all: 'all' },
  ),
  byField(
    'service',
    { label: 'Service', any: 'Any service', options: [[noName, 'No service'], ...asNamed(options.services)] },
    { field: 'software_filter', all: 'all', not: noName },
  ),
  byField(
    'source',
    { label: 'Source', any: 'Any source', options: [[noName, 'No source'], ...asNamed(options.sources)] },
    { field: 'source_filter', all: 'all' },
  ),
  byField(
    'type',
    { label: 'Type', any: 'Any type', options: Object.entries(leadTypes) },
    { field: 'lead_filter', all: 'all' },
  ),
  assigneeFilter(options.staff),
  byField('creator', {
    label: 'Creator',
    any: 'Any creator',
    options: [['0', 'No admin user'], ...byId(options.creators)],
  }),
  byField('country', { label: 'Country', any: 'Any country', options: [], find: findValues('countries') }),
  byField('timezone', {
    label: 'Time zone',
    any: 'Any time zone',
    options: [],
    find: findValues('timezones'),
  }),
  tagsFilter(options.tags),
]

export const currencyFilter = byField(
  'currency',
  { label: 'Currency', any: 'Any currency', options: asNamed(currencies) },
  { field: 'currency' },
)

export const billingFilter = byField('billing', {
  label: 'Billing',
  any: 'Any billing',
  options: Object.entries(billings),
})

type Whose = LeadGroup['assigned_filter']
const unassigned = ['unassigned', 'Unassigned'] as const
const onlyAlone = ['mine', 'assigned']

/**
 * The assignee: `crm_id` for a person, `assignee_any` for several, of whom 0 stands for none, and `assigned_filter` for
 * everything else.
 */
const assigneeFilter = (staff: LeadOptions['staff']): LeadFilter => {
  const toId = (value: string) => (value === unassigned[0] ? '0' : value)
  const toValue = (id: number | string) => (Number(id) === 0 ? unassigned[0] : String(id))
  return choices({
    id: 'assignee',
    label: 'Assignee',
    any: 'Anyone',
    options: [['mine', 'Me'], unassigned, ['assigned', 'Assigned'], ...byId(staff)],
    onlyAlone,
    more: true,
    chosenOf: ({ crm_id, assigned_filter, assignee_any, assignee_not = [] }) => ({
      any:
        assignee_any?.map(toValue) ??
        (crm_id !== undefined ? [String(crm_id)] : assigned_filter === 'all' ? [] : [assigned_filter]),
      not: assignee_not.map(toValue),
    }),
    changeTo: ({ any: chosen, not: left }) => {
      const cleared = { assigned_filter: 'all', crm_id: undefined, assignee_any: undefined } as const
      const others = severalOf('assignee_not', left.map(toId))
      const [first] = chosen
      if (first === undefined) return { ...cleared, ...others }
      if (chosen.length > 1) return { ...cleared, ...severalOf('assignee_any', chosen.map(toId)), ...others }
      return onlyAlone.includes(first) || first === unassigned[0]
        ? { ...cleared, assigned_filter: first as Whose, ...others }
        : { ...cleared, crm_id: Number(first), ...others }
    },
  })
}

/** In a filter by tags, 0 stands for no filter. */
const tagsFilter = (tags: LeadOptions['tags']): LeadFilter => {
  const chosenIn = (ids: readonly number[] = []) => ids.filter((id) => id !== 0).map(String)
  const toIds = (values: readonly string[]) => (values.length > 0 ? values.map(Number) : undefined)
  return choices({
    id: 'tags_filter',
    label: 'Tags',
    any: 'Any tags',
    options: byId(tags),
    more: true,
    chosenOf: ({ tags_filter, tags_not }) => ({ any: chosenIn(tags_filter), not: chosenIn(tags_not) }),
    changeTo: ({ any: chosen, not: left }) => ({ tags_filter: toIds(chosen), tags_not: toIds(left) }),
  })
}
