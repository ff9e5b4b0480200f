import { Fragment, type ReactNode } from 'react'
import type { Filter } from '#web/filter/filters.tsx'
import { Chip, Chips, ClearChips } from '#web/parts/Chips.tsx'

/** A filter that is currently narrowing the list, as text such as `Status: New`. */
export interface ActiveFilter {
  id: string
  text: string
  clear: () => void
  /** List items that show the filter instead of a chip. */
  shown?: ReactNode
}

type Searched = { search?: string | undefined }

/** Splits a search into parts with a chip each; `rest` is the search without the part. */
export type SplitSearch = (search: string) => readonly { text: string; rest: string }[]
const inOnePart: SplitSearch = (search) => [{ text: `Search: ${search}`, rest: '' }]

/** Returns the active search and filters as chips. */
export function chipsOf<F extends Searched>(
  filters: readonly Filter<F>[],
  now: F,
  onChange: (change: Partial<F>) => void,
  split: SplitSearch = inOnePart,
): ActiveFilter[] {
  const chip = (
    id: string,
    text: string | undefined,
    cleared: Filter<F>['cleared'],
    chips?: Filter<F>['chips'],
  ): ActiveFilter[] =>
    text === undefined
      ? []
      : [{ id, text, clear: () => onChange(clearing(cleared, now)), shown: chips?.(now, onChange) }]
  return [
    ...(now.search ? split(now.search) : []).flatMap(({ text, rest }, at) =>
      chip(`search-${at}`, text, { search: rest } as Partial<F>),
    ),
    ...filters.flatMap(({ id, says, cleared, chips }) => chip(id, says(now), cleared, chips)),
  ]
}

/**
 * Returns the change made by "Clear filters": all filters and the search are cleared; the sort order stays.
 */
export const clearedBy = <F extends Searched>(filters: readonly Filter<F>[], now: F): Partial<F> =>
  filters.reduce<Partial<F>>(
    (change, { cleared }) => ({ ...change, ...clearing(cleared, { ...now, ...change }) }),
    ('search' in now ? { search: '' } : {}) as Partial<F>,
  )

/** Returns the change that clears one filter. */
export const clearing = <F,>(cleared: Filter<F>['cleared'], now: F): Partial<F> =>
  typeof cleared === 'function' ? cleared(now) : cleared

interface Props {
  /** All active filters, including those hidden behind "More filters". */
  active: readonly ActiveFilter[]
  onClearAll: () => void
}

/** A list's active filters as removable chips. */
export function FilterChips({ active, onClearAll }: Props) {
  return (
    <Chips label="Active filters">
      {active.map(({ id, text, clear, shown }) =>
        shown ? (
          <Fragment key={id}>{shown}</Fragment>
        ) : (
          <Chip key={id} text={text} aria-label={`Remove filter ${text}`} onClick={clear} />
        ),
      )}
      <ClearChips onClick={onClearAll}>Clear filters</ClearChips>
    </Chips>
  )
}
