import { Suspense } from 'react'
import type { LeadGroup, LeadOptions } from '#features/crm/leads/contract.ts'
import { numberText } from '#shared/money.ts'
import type { Filter } from '#web/filter/filters.tsx'
import { several } from '#web/filter/several.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const AmountInput = lazyPart(() => import('#features/crm/leads/list/web/AmountInput.tsx'))

type LeadFilter = Filter<LeadGroup>

const byId = (entries: readonly { id: number; name: string }[]) =>
  entries.map(({ id, name }) => [String(id), name] as const)

/** A filter by codes: the parameter `one` for one, and `any` for several. */
const byCodes = (
  one: 'status' | 'color',
  any: 'status_any' | 'color_any',
  list: Pick<Parameters<typeof several<LeadGroup>>[0], 'label' | 'any' | 'options' | 'more'>,
): LeadFilter =>
  several({
    ...list,
    id: one,
    chosenOf: ({ [one]: code, [any]: codes }) => (codes ?? (code === undefined ? [] : [code])).map(String),
    changeTo: ([first, ...others]) =>
      others.length > 0
        ? { [one]: undefined, [any]: [first!, ...others].map(Number) }
        : { [one]: first === undefined ? undefined : Number(first), [any]: undefined },
  })

export const statusFilter = (statuses: LeadOptions['statuses']): LeadFilter =>
  byCodes('status', 'status_any', { label: 'Status', any: 'All statuses', options: byId(statuses) })

export const priorityFilter = (colors: LeadOptions['colors']): LeadFilter =>
  byCodes('color', 'color_any', { label: 'Priority', any: 'Any priority', options: byId(colors), more: true })

/** The source: `source_filter` for one, or for none, `source_any` for several. */
export const sourceFilter = (sources: LeadOptions['sources']): LeadFilter =>
  several({
    id: 'source_filter',
    label: 'Source',
    any: 'Any source',
    options: [['none', 'No source'], ...sources.map((name) => [name, name] as const)],
    more: true,
    chosenOf: ({ source_filter, source_any }) =>
      source_any ?? (source_filter === 'all' ? [] : [source_filter]),
    changeTo: (chosen) =>
      chosen.length > 1
        ? { source_filter: 'all', source_any: [...chosen] }
        : { source_filter: chosen[0] ?? 'all', source_any: undefined },
  })

type Whose = LeadGroup['assigned_filter']
const unassigned = ['unassigned', 'Unassigned'] as const
const whoseNames: Readonly<Record<string, string>> = {
  mine: 'Me',
  [unassigned[0]]: unassigned[1],
  assigned: 'Assigned',
}

/**
 * The assignee: `crm_id` for a person, `assignee_any` for several, of whom 0 stands for none, and `assigned_filter` for
 * everything else.
 */
export const assigneeFilter = (staff: LeadOptions['staff']): LeadFilter =>
  several({
    id: 'assignee',
    label: 'Assignee',
    any: 'Anyone',
    options: [...Object.entries(whoseNames), ...byId(staff)],
    severalOptions: [unassigned, ...byId(staff)],
    more: true,
    chosenOf: ({ crm_id, assigned_filter, assignee_any }) => {
      if (assignee_any) return assignee_any.map((id) => (id === 0 ? unassigned[0] : String(id)))
      if (crm_id !== undefined) return [String(crm_id)]
      return assigned_filter === 'all' ? [] : [assigned_filter]
    },
    changeTo: (chosen) => {
      const cleared = { assigned_filter: 'all', crm_id: undefined, assignee_any: undefined } as const
      // The caller and anyone can’t be chosen beside others.
      const ids = chosen
        .map((one) => (one === unassigned[0] ? '0' : one))
        .filter((one) => !(one in whoseNames))
      if (ids.length > 1) return { ...cleared, assignee_any: ids.map(Number) }
      const first = chosen.at(-1)
      if (first === undefined) return cleared
      return first in whoseNames
        ? { ...cleared, assigned_filter: first as Whose }
        : { ...cleared, crm_id: Number(first) }
    },
  })

/** The range of the amount, both ends included. */
export const amountRange: LeadFilter = {
  id: 'amount_from-amount_to',
  more: true,
  control: ({ amount_from, amount_to }, onChange) => (
    <Suspense>
      <AmountInput
        key={`from ${amount_from}`}
        label="Amount from"
        value={amount_from}
        onChange={(amount) => onChange({ amount_from: amount })}
      />
      <AmountInput
        key={`to ${amount_to}`}
        label="Amount to"
        value={amount_to}
        onChange={(amount) => onChange({ amount_to: amount })}
      />
    </Suspense>
  ),
  says: ({ amount_from: from, amount_to: to }) => {
    if (from === undefined && to === undefined) return undefined
    if (to === undefined) return `Amount: from ${numberText(from!)}`
    return `Amount: ${from === undefined ? '' : `${numberText(from)} `}to ${numberText(to)}`
  },
  cleared: { amount_from: undefined, amount_to: undefined },
}
