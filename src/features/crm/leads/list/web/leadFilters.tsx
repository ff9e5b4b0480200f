import { useState } from 'react'
import type { PlainDate } from '#shared/dates.ts'
import type { LeadFilters, LeadGroup, LeadOptions } from '#features/crm/leads/contract.ts'
import { followupFilters, leadActivities, leadEvents, type LeadEvent } from '#features/crm/leads/rules.ts'
import {
  billingFilter,
  choiceFilters,
  currencyFilter,
  priorityFilter,
  statusFilter,
} from '#features/crm/leads/list/web/choiceFilters.tsx'
import { emptyFilters } from '#features/crm/leads/list/web/emptyFilters.tsx'
import { amountRange, contactRoleFilter, untouched } from '#features/crm/leads/list/web/typedFilters.tsx'
import { daysOf, periodId, periods, rangeText, type LeadLayout } from '#features/crm/leads/list/web/period.ts'
import { choice, days, type Filter } from '#web/filter/filters.tsx'
import { Select } from '#web/parts/controls.tsx'

type LeadFilter = Filter<LeadGroup>

const inMorePanel = { more: true } as const
const anyIsAll = { more: true, none: 'all' } as const

const dealFilters: readonly LeadFilter[] = [
  choice(
    'outcome_filter',
    'Outcome',
    'Any outcome',
    [
      ['open', 'Open'],
      ['closed', 'Won or rejected'],
    ],
    anyIsAll,
  ),
  choice(
    'amount_filter',
    'Amount',
    'With or without amount',
    [
      ['with', 'With amount'],
      ['without', 'Without amount'],
    ],
    anyIsAll,
  ),
  amountRange,
  currencyFilter,
  billingFilter,
  choice(
    'close_filter',
    'Expected close',
    'With or without expected close',
    [['none', 'No expected close']],
    anyIsAll,
  ),
  days('close_from', 'close_to', 'Expected close', inMorePanel),
]

/** Builds the lead list's filters other than search and groups, each with its control, chip, and reset. */
export function leadFilters(
  options: LeadOptions,
  now: PlainDate,
  layout: LeadLayout,
): readonly Filter<LeadFilters>[] {
  const [status, ...others] = commonFilters(options)
  return [status, period(now, layout), ...others]
}

/** Builds the filters of a group: without a date, leads of all days match. */
export const leadGroupFilters = (options: LeadOptions): readonly LeadFilter[] => [
  ...commonFilters(options),
  days('fromDate', 'toDate', 'Lead date', inMorePanel),
]

const period = (now: PlainDate, layout: LeadLayout): Filter<LeadFilters> => ({
  id: 'fromDate',
  name: 'Period',
  control: (filters, onChange) => (
    <PeriodChoice filters={filters} onChange={onChange} now={now} layout={layout} />
  ),
  says: (filters) => {
    const id = periodId(filters, now, layout)
    if (id === 'all') return undefined
    const { from, to } = daysOf(filters, now, layout)
    return `Period: ${periods(now, layout).find((one) => one.id === id)?.label ?? rangeText(from, to)}`
  },
  cleared: { fromDate: 'all', toDate: 'all' },
})

const commonFilters = (options: LeadOptions): [LeadFilter, ...LeadFilter[]] => [
  statusFilter(options),
  choice(
    'followup_filter',
    'Follow-up',
    followupFilters[10],
    ([1, 2, 3, 4, 0] as const).map((id) => [id, followupFilters[id]]),
    { none: 10 },
  ),
  choice('next_step_filter', 'Next step', 'With or without next step', [['none', 'No next step']], anyIsAll),
  untouched,
  priorityFilter(options),
  ...dealFilters,
  ...choiceFilters(options),
  contactRoleFilter,
  counted(options),
  days('follow_up_from', 'follow_up_to', 'Follow-up date', inMorePanel),
  days('request_from', 'request_to', 'Request date', inMorePanel),
  days('implement_from', 'implement_to', 'Implementation date', inMorePanel),
  days('status_from', 'status_to', 'Status set', inMorePanel),
  days('created_from', 'created_to', 'Created', inMorePanel),
  ...emptyFilters,
  fromImport,
]

/** The leads of an import, to which its results lead. */
const fromImport: LeadFilter = {
  id: 'import_id',
  more: true,
  control: () => null,
  says: ({ import_id }) => (import_id === undefined ? undefined : `From import ${import_id}`),
  cleared: { import_id: undefined },
}

/** The leads that a number of the sales report counts: its links set all of these filters, the user only the event. */
function counted({ statuses, reject_reasons: reasons, staff }: LeadOptions): LeadFilter {
  const noEvent = {
    event_status: undefined,
    event_from: undefined,
    event_to: undefined,
    event_by: undefined,
    event_reason: undefined,
  }
  const names = { ...leadEvents, ...leadActivities }
  const options = Object.entries(names).filter(([event]) => event !== 'reached')
  const nameIn = (entries: readonly { id: number; name: string }[], id: number | undefined, none: string) =>
    id === undefined ? [] : [entries.find((one) => one.id === id)?.name ?? (id === 0 ? none : `#${id}`)]
  return {
    id: 'event',
    more: true,
    name: 'Event',
    control: ({ event }, onChange) => (
      <Select
        label="Event"
        value={event ?? ''}
        options={[
          ['', 'Any event'],
          ...options,
          ...(event === 'reached' ? [[event, leadEvents.reached] as const] : []),
        ]}
        onChoose={(chosen) =>
          onChange({ ...noEvent, event: chosen === '' ? undefined : (chosen as LeadEvent) })
        }
      />
    ),
    says: ({ event, event_status, event_from, event_to, event_by, event_reason }) =>
      event &&
      [
        ...(event === 'reached' ? nameIn(statuses, event_status, '') : [names[event]]),
        ...nameIn(reasons, event_reason, 'No reason'),
        ...nameIn(staff, event_by, 'Unassigned'),
        ...(event_from || event_to ? [rangeText(event_from, event_to)] : []),
      ].join(', '),
    cleared: { event: undefined, ...noEvent },
  }
}

interface Props {
  filters: LeadFilters
  onChange: (change: Partial<LeadFilters>) => void
}

const leadDate = days<ReturnType<typeof daysOf>>('from', 'to', 'Lead date')

/** Field for choosing a common period or a custom range. */
function PeriodChoice({ filters, onChange, now, layout }: Props & { now: PlainDate; layout: LeadLayout }) {
  const id = periodId(filters, now, layout)
  const [custom, setCustom] = useState(id === 'custom')
  const isCustom = custom || id === 'custom'
  const shown = daysOf(filters, now, layout)

  function choose(chosen: string): void {
    setCustom(chosen === 'custom')
    const period = periods(now, layout).find((one) => one.id === chosen)
    if (period) onChange(period.period)
  }

  return (
    <>
      <Select
        label="Period"
        value={isCustom ? 'custom' : id}
        options={[
          ...periods(now, layout).map((one) => [one.id, one.label] as const),
          ['custom', 'Custom range'],
        ]}
        onChoose={choose}
      />
      {isCustom &&
        leadDate.control(shown, (change) => {
          const { from, to } = { ...shown, ...change }
          onChange({ fromDate: from ?? 'all', toDate: to ?? 'all' })
        })}
    </>
  )
}
