import { Fragment, useState } from 'react'
import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import type { LeadFilters } from '#features/crm/leads/contract.ts'
import { useLeadOptions } from '#features/crm/leads/cells/web/LeadOptions.tsx'
import { leadFilters } from '#features/crm/leads/list/web/leadFilters.tsx'
import type { Change } from '#features/crm/leads/list/web/useLeadFilters.ts'
import { chipsOf, clearedBy, FilterBar } from '#web/filter/FilterBar.tsx'
import type { Filter } from '#web/filter/filters.tsx'
import classes from '#web/list/list.module.css'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { storedFilter, storeFilter } from '#web/session.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { useToday } from '#web/time.ts'

interface Props {
  filters: LeadFilters
  onChange: (change: Change, options?: { replace?: boolean }) => void
}

/**
 * Filter bar. Search, status, period, and follow-up are visible; the other filters are in a panel that stays
 * open until the user signs out (`show_filter`).
 */
export function LeadFilterBar({ filters, onChange }: Props) {
  const all = leadFilters(useLeadOptions(), useToday())
  const [more, setMore] = useState(() => storedFilter('show_filter') === '1')

  function toggle(): void {
    storeFilter('show_filter', more ? '0' : '1')
    setMore(!more)
  }

  const show = ({ id, control }: Filter<LeadFilters>) => (
    <Fragment key={id}>{control(filters, onChange)}</Fragment>
  )
  return (
    <FilterBar active={chipsOf(all, filters, onChange)} onClearAll={() => onChange(clearedBy(all, filters))}>
      <SearchBox
        label="Search leads"
        value={filters.search}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      {all.filter((one) => !one.more).map(show)}
      <TextButton
        icon={<IconAdjustmentsHorizontal size={14} aria-hidden />}
        aria-expanded={more}
        onClick={toggle}
      >
        {more ? 'Fewer filters' : 'More filters'}
      </TextButton>
      {more && <div className={classes.moreFilters}>{all.filter((one) => one.more).map(show)}</div>}
    </FilterBar>
  )
}
