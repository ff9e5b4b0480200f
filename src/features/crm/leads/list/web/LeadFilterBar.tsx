import { useState } from 'react'
import { TextInput } from '@mantine/core'
import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import type { LeadFilters } from '#features/crm/leads/contract.ts'
import { demoStates, followupFilters, leadTypes } from '#features/crm/leads/rules.ts'
import { activeFilters } from '#features/crm/leads/list/web/activeFilters.ts'
import { useLeadOptions } from '#features/crm/leads/cells/web/LeadOptions.tsx'
import classes from '#features/crm/leads/list/web/leads.module.css'
import { daysOf, periodId, periods } from '#features/crm/leads/list/web/period.ts'
import { noFilters, type Change } from '#features/crm/leads/list/web/useLeadFilters.ts'
import { FilterBar } from '#web/list/FilterBar.tsx'
import { SearchBox } from '#web/list/SearchBox.tsx'
import { storedFilter, storeFilter } from '#web/session.ts'
import { Select, TextButton } from '#web/shell/controls.tsx'
import { today } from '#web/time.ts'

interface Props {
  filters: LeadFilters
  onChange: (change: Change, options?: { replace?: boolean }) => void
}

/** Search, status, period and follow-up in sight; the other filters in a panel that stays open until logout (`show_filter`). */
export function LeadFilterBar({ filters, onChange }: Props) {
  const options = useLeadOptions()
  const [more, setMore] = useState(() => storedFilter('show_filter') === '1')
  const active = activeFilters(filters, options, onChange)

  function toggle(): void {
    storeFilter('show_filter', more ? '0' : '1')
    setMore(!more)
  }

  return (
    <FilterBar active={active} onClearAll={() => onChange(noFilters)}>
      <SearchBox label="Search leads" value={filters.search} onSearch={(search) => onChange({ search }, { replace: true })} />
      <Choice
        label="Status"
        any="All statuses"
        value={filters.status}
        options={options.statuses.map(({ id, name }) => [id, name])}
        onChoose={(status) => onChange({ status: asNumber(status) })}
      />
      <PeriodChoice filters={filters} onChange={onChange} />
      <Choice
        label="Follow-up"
        value={filters.followup_filter}
        options={[10, 1, 2, 3, 4, 0].map((id) => [id, followupFilters[id as 10]])}
        onChoose={(followup_filter) => onChange({ followup_filter: Number(followup_filter) as LeadFilters['followup_filter'] })}
      />
      <TextButton icon={<IconAdjustmentsHorizontal size={14} aria-hidden />} aria-expanded={more} onClick={toggle}>
        {more ? 'Fewer filters' : 'More filters'}
      </TextButton>
      {more && <MoreFilters filters={filters} onChange={onChange} />}
    </FilterBar>
  )
}

function MoreFilters({ filters, onChange }: Props) {
  const { colors, services, staff, tags } = useLeadOptions()
  const chosen = filters.tags_filter ?? []
  const toggleTag = (id: number) => {
    const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen.filter((one) => one !== 0), id]
    onChange({ tags_filter: next.length ? next : undefined })
  }
  return (
    <div className={classes.moreFilters}>
      <Choice
        label="Priority"
        any="Any priority"
        value={filters.color}
        options={colors.map(({ id, name }) => [id, name])}
        onChoose={(color) => onChange({ color: asNumber(color) })}
      />
      <Choice
        label="Demo"
        any="Any demo state"
        anyValue="all"
        value={filters.demo_filter}
        options={Object.entries(demoStates)}
        onChoose={(demo) => onChange({ demo_filter: demo as LeadFilters['demo_filter'] })}
      />
      <Choice
        label="Service"
        any="Any service"
        anyValue="all"
        value={filters.software_filter}
        options={services.map((name) => [name, name])}
        onChoose={(software_filter) => onChange({ software_filter })}
      />
      <Choice
        label="Type"
        any="Any type"
        anyValue="all"
        value={filters.lead_filter}
        options={Object.entries(leadTypes)}
        onChoose={(type) => onChange({ lead_filter: type as LeadFilters['lead_filter'] })}
      />
      <Choice
        label="Assignment"
        any="Assigned or not"
        anyValue="all"
        value={filters.assigned_filter}
        options={[
          ['mine', 'Assigned to me'],
          ['assigned', 'Assigned'],
          ['unassigned', 'Unassigned'],
        ]}
        onChoose={(assigned) => onChange({ assigned_filter: assigned as LeadFilters['assigned_filter'] })}
      />
      <Choice
        label="Person"
        any="Anybody"
        value={filters.crm_id}
        options={staff.map(({ id, name }) => [id, name])}
        onChoose={(person) => onChange({ crm_id: asNumber(person) })}
      />
      <DayRange
        label="Follow-up date"
        from={filters.follow_up_from}
        to={filters.follow_up_to}
        onChange={(from, to) => onChange({ follow_up_from: from, follow_up_to: to })}
      />
      <DayRange
        label="Request date"
        from={filters.request_from}
        to={filters.request_to}
        onChange={(from, to) => onChange({ request_from: from, request_to: to })}
      />
      <fieldset className={classes.tagFilter}>
        <legend>Tags</legend>
        {tags.map(({ id, name }) => (
          <button key={id} type="button" className={classes.tagToggle} aria-pressed={chosen.includes(id)} onClick={() => toggleTag(id)}>
            {name}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

function PeriodChoice({ filters, onChange }: Props) {
  const now = today()
  const id = periodId(filters, now)
  const [custom, setCustom] = useState(id === 'custom')
  const days = daysOf(filters, now)
  const isCustom = custom || id === 'custom'

  function choose(chosen: string): void {
    setCustom(chosen === 'custom')
    const period = periods(now).find((one) => one.id === chosen)
    if (period) onChange(period.period)
  }

  return (
    <>
      <Choice
        label="Period"
        value={isCustom ? 'custom' : id}
        options={[...periods(now).map((one) => [one.id, one.label] as const), ['custom', 'From … to …']]}
        onChoose={choose}
      />
      {isCustom && (
        <DayRange label="Lead date" from={days.from} to={days.to} onChange={(from, to) => onChange({ fromDate: from ?? 'all', toDate: to ?? 'all' })} />
      )}
    </>
  )
}

interface ChoiceProps {
  label: string
  /** The words for no restriction; absent: there is always one chosen. */
  any?: string
  anyValue?: string
  value: string | number | undefined
  options: readonly (readonly [value: string | number, label: string])[]
  onChoose: (value: string) => void
}

function Choice({ label, any, anyValue = '', value, options, onChoose }: ChoiceProps) {
  const named = options.map(([id, name]) => [String(id), name] as const)
  return <Select label={label} value={String(value ?? anyValue)} options={any === undefined ? named : [[anyValue, any], ...named]} onChoose={onChoose} />
}

function DayRange({
  label,
  from,
  to,
  onChange,
}: {
  label: string
  from: string | undefined
  to: string | undefined
  onChange: (from: string | undefined, to: string | undefined) => void
}) {
  return (
    <div className={classes.dayRange} role="group" aria-label={label}>
      <span aria-hidden>{label}</span>
      <TextInput
        type="date"
        aria-label={`${label} from`}
        value={from ?? ''}
        max={to}
        onChange={(event) => onChange(event.currentTarget.value || undefined, to)}
      />
      <span aria-hidden>–</span>
      <TextInput
        type="date"
        aria-label={`${label} to`}
        value={to ?? ''}
        min={from}
        onChange={(event) => onChange(from, event.currentTarget.value || undefined)}
      />
    </div>
  )
}

const asNumber = (value: string) => (value === '' ? undefined : Number(value))
