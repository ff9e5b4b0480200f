import { Suspense, useState } from 'react'
import { contactRole, untouchedDays, type LeadGroup } from '#features/crm/leads/contract.ts'
import { numberText } from '#shared/money.ts'
import { moneyAmount } from '#shared/numbers.ts'
import type { Filter } from '#web/filter/filters.tsx'
import { Select } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const TypedInput = lazyPart(() => import('#web/filter/TypedInput.tsx'))

type LeadFilter = Filter<LeadGroup>

/** The range of the amount, both ends included. */
export const amountRange: LeadFilter = {
  id: 'amount_from-amount_to',
  more: true,
  name: 'Amount from to',
  control: (filters, onChange) => (
    <Suspense>
      {(['from', 'to'] as const).map((end) => (
        <TypedInput
          key={end}
          label={`Amount ${end}`}
          schema={moneyAmount}
          inputMode="decimal"
          value={filters[`amount_${end}`]}
          onChange={(amount) => onChange({ [`amount_${end}`]: amount })}
        />
      ))}
    </Suspense>
  ),
  says: ({ amount_from: from, amount_to: to }) => {
    if (from === undefined && to === undefined) return undefined
    if (to === undefined) return `Amount: from ${numberText(from!)}`
    return `Amount: ${from === undefined ? '' : `${numberText(from)} `}to ${numberText(to)}`
  },
  cleared: { amount_from: undefined, amount_to: undefined },
}

/** A role that a contact of the lead has. */
export const contactRoleFilter: LeadFilter = {
  id: 'contact_role',
  more: true,
  name: 'Contact role',
  control: ({ contact_role }, onChange) => (
    <Suspense>
      <TypedInput
        label="Contact role"
        schema={contactRole}
        value={contact_role === '' ? undefined : contact_role}
        onChange={(role) => onChange({ contact_role: role === undefined ? '' : String(role) })}
      />
    </Suspense>
  ),
  says: ({ contact_role }) => (contact_role === '' ? undefined : `Contact role: ${contact_role}`),
  cleared: { contact_role: '' },
}

const untouchedText = (days: number) =>
  `None for ${days === 1 ? 'a day' : `${days.toLocaleString('en-US')} days`}`
const stuckText = 'Stuck in their status'

/**
 * Leads that nothing happened to, for so many days or for more than their status allows: a single control for two API
 * filters.
 */
export const untouched: LeadFilter = {
  id: 'untouched_days',
  more: true,
  name: 'Activity untouched stuck days',
  control: (filters, onChange) => <Activity filters={filters} onChange={onChange} />,
  says: ({ untouched_days: days, stuck_filter }) => {
    const none = days === undefined ? [] : [untouchedText(days)]
    const all = stuck_filter === 'stuck' ? [stuckText, ...none] : none
    return all.length ? `Activity: ${all.join(', ').toLowerCase()}` : undefined
  },
  cleared: { untouched_days: undefined, stuck_filter: 'all' },
}

const usualDays = [7, 14, 30, 90]
const other = 'other'

interface Props {
  filters: LeadGroup
  onChange: (change: Partial<LeadGroup>) => void
}

function Activity({ filters: { untouched_days: days, stuck_filter }, onChange }: Props) {
  const [wantsOther, setOther] = useState(false)
  const isStuck = stuck_filter === 'stuck'
  const isOther = wantsOther || (days !== undefined && !isStuck && !usualDays.includes(days))
  return (
    <>
      <Select
        label="Activity"
        value={isStuck ? stuck_filter : isOther ? other : String(days ?? '')}
        options={[
          ['', 'Any activity'],
          ['stuck', stuckText],
          ...usualDays.map((count) => [String(count), untouchedText(count)] as const),
          [other, 'None for other days'],
        ]}
        onChoose={(chosen) => {
          setOther(chosen === other)
          if (chosen === other) return onChange({ stuck_filter: 'all' })
          onChange({
            untouched_days: chosen === '' || chosen === 'stuck' ? undefined : Number(chosen),
            stuck_filter: chosen === 'stuck' ? chosen : 'all',
          })
        }}
      />
      {isOther && (
        <Suspense>
          <TypedInput
            label="Days without activity"
            schema={untouchedDays}
            inputMode="numeric"
            value={days}
            onChange={(count) =>
              onChange({ untouched_days: count === undefined ? undefined : Number(count) })
            }
          />
        </Suspense>
      )}
    </>
  )
}
