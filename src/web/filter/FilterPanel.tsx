import { Fragment, useRef, useState } from 'react'
import { searchText } from '#shared/search-text.ts'
import classes from '#web/filter/choices.module.css'
import type { Filter } from '#web/filter/filters.tsx'
import { SearchField } from '#web/parts/SearchField.tsx'
import { stopEscapePropagation } from '#web/parts/stopEscapePropagation.ts'

/** A panel with more filters than this has a search. */
const fewFilters = 12

interface Props<F> {
  filters: readonly Filter<F>[]
  now: F
  onChange: (change: Partial<F>) => void
}

/** The controls of many filters, found by their names. */
export function FilterPanel<F>({ filters, now, onChange }: Props<F>) {
  const [text, setText] = useState('')
  const controls = useRef<HTMLSpanElement>(null)
  const wanted = searchText(text.trim())
  const hasSearch = filters.filter(({ name }) => name !== undefined).length > fewFilters
  const shown =
    hasSearch && wanted !== ''
      ? filters.filter(({ name }) => name !== undefined && searchText(name).includes(wanted))
      : filters
  return (
    <>
      {hasSearch && (
        <span className={classes.panelSearch} {...(text === '' ? {} : stopEscapePropagation)}>
          <SearchField
            width={220}
            aria-label="Find a filter"
            placeholder="Find a filter"
            maxLength={80}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onClear={() => setText('')}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setText('')
              if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
              event.preventDefault()
              controls.current?.querySelector<HTMLElement>('button, select, input')?.focus()
            }}
          />
        </span>
      )}
      <span ref={controls} className={classes.controls}>
        {shown.map((filter) => (
          <Fragment key={filter.id}>{filter.control(now, onChange)}</Fragment>
        ))}
        {shown.length === 0 && (
          <span className={classes.hint} role="status">
            No filter has this name.
          </span>
        )}
      </span>
    </>
  )
}
