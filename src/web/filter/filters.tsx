import type { ReactNode } from 'react'
import { DateRangeField, rangeText } from '#web/dates/DateRangeField.tsx'
import { Select } from '#web/parts/controls.tsx'

/*
 * A list's filters, each declared once: the toolbar control, the chip that describes it, and how it is
 * cleared.
 */

type Change<F> = (change: Partial<F>) => void

export interface Filter<F> {
  id: string
  /** Whether the filter is behind "More filters". */
  more?: boolean | undefined
  /** Words by which the search in the panel finds it; undefined for a filter without a control. */
  name?: string | undefined
  control: (filters: F, onChange: Change<F>) => ReactNode
  /** Describes the current filter as text; undefined if it is inactive. */
  says: (filters: F) => string | undefined
  /** List items for the active filter, instead of a chip with its text. */
  chips?: ((filters: F, onChange: Change<F>) => ReactNode) | undefined
  /** The change that clears the filter. */
  cleared: Partial<F> | ((filters: F) => Partial<F>)
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
    name: label,
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
  return {
    id: `${from}-${to}`,
    more,
    name: label,
    control: (filters, onChange) => (
      <DateRangeField
        label={label}
        from={dayOf(filters, from)}
        to={dayOf(filters, to)}
        onChange={(first, last) => onChange({ [from]: first, [to]: last } as Partial<F>)}
      />
    ),
    says: (filters) => {
      const text = rangeText(dayOf(filters, from), dayOf(filters, to))
      return text ? `${label}: ${text}` : undefined
    },
    cleared: { [from]: undefined, [to]: undefined } as Partial<F>,
  }
}
