import type { ReactNode } from 'react'
import { dayText } from '#shared/dates.ts'
import { DayInput, DayRange, Select } from '#web/parts/controls.tsx'

/*
 * A list's filters, each declared once: the toolbar control, the chip that describes it, and how it is
 * cleared.
 */

type Change<F> = (change: Partial<F>) => void

export interface Filter<F> {
  id: string
  /** Whether the filter is behind "More filters". */
  more?: boolean | undefined
  control: (filters: F, onChange: Change<F>) => ReactNode
  /** Describes the current filter as text; undefined if it is inactive. */
  says: (filters: F) => string | undefined
  cleared: Partial<F>
}

type Value = string | number | undefined

interface ChoiceOptions {
  more?: boolean
  /** Value that means no filter; by default, the absence of a value in the URL. */
  none?: string | number
}

/**
 * Declares a filter with a few fixed options: `choice<ContractFilters>('status', 'Status', 'All statuses',
 * statuses.map(({ id, name }) => [id, name]))`.
 */
export function choice<F extends object>(
  field: keyof F & string,
  label: string,
  any: string,
  options: readonly (readonly [value: string | number, label: string])[],
  { more, none }: ChoiceOptions = {},
): Filter<F> {
  const valueOf = (filters: F) => filters[field] as Value
  const changeTo = (value: Value) => ({ [field]: value }) as Partial<F>
  return {
    id: field,
    more,
    control: (filters, onChange) => (
      <Select
        label={label}
        value={String(valueOf(filters) ?? none ?? '')}
        options={[
          [String(none ?? ''), any],
          ...options
            .filter(([value]) => value !== none)
            .map(([value, name]) => [String(value), name] as const),
        ]}
        onChoose={(chosen) =>
          onChange(changeTo(options.find(([value]) => String(value) === chosen)?.[0] ?? none))
        }
      />
    ),
    says: (filters) => {
      const value = valueOf(filters)
      if (value === undefined || value === none) return undefined
      return `${label}: ${options.find(([one]) => one === value)?.[1] ?? String(value)}`
    },
    cleared: changeTo(none),
  }
}

/** Declares a filter for a date range, including both ends. */
export function days<F extends object>(
  from: keyof F & string,
  to: keyof F & string,
  label: string,
  { more }: { more?: boolean } = {},
): Filter<F> {
  const dayOf = (filters: F, field: keyof F) => filters[field] as string | undefined
  const input = (filters: F, onChange: Change<F>, field: keyof F & string, words: string) => (
    <DayInput
      aria-label={`${label} ${words}`}
      value={dayOf(filters, field) ?? ''}
      onChange={(event) => onChange({ [field]: event.currentTarget.value || undefined } as Partial<F>)}
    />
  )
  return {
    id: `${from}-${to}`,
    more,
    control: (filters, onChange) => (
      <DayRange>
        {label} {input(filters, onChange, from, 'from')} – {input(filters, onChange, to, 'to')}
      </DayRange>
    ),
    says: (filters) => {
      const [first, last] = [dayOf(filters, from), dayOf(filters, to)]
      if (!first && !last) return undefined
      return `${label}: ${first ? `from ${dayText(first)}` : ''}${first && last ? ' ' : ''}${last ? `to ${dayText(last)}` : ''}`
    },
    cleared: { [from]: undefined, [to]: undefined } as Partial<F>,
  }
}
