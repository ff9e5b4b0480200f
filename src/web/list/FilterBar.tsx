import type { ReactNode } from 'react'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import classes from '#web/list/list.module.css'

/** A filter that narrows the list now, in words: `Status: New`. */
export interface ActiveFilter {
  id: string
  text: string
  clear: () => void
}

interface Props {
  /** Search box, selects, buttons. */
  children: ReactNode
  /** Everything that narrows the list, also what is not in sight. */
  active: readonly ActiveFilter[]
  onClearAll: () => void
}

/** The controls of a list's filters, and below them what narrows the list now, each with a way to remove it. */
export function FilterBar({ children, active, onClearAll }: Props) {
  return (
    <section className={classes.filterBar} aria-label="Filters">
      <div className={classes.controls}>{children}</div>
      {active.length > 0 && <FilterChips active={active} onClearAll={onClearAll} />}
    </section>
  )
}

/** What narrows the list now, each with a way to remove it. */
export function FilterChips({ active, onClearAll }: Pick<Props, 'active' | 'onClearAll'>) {
  return (
    <ul className={classes.active} aria-label="Active filters">
      {active.map((filter) => (
        <li key={filter.id}>
          <button type="button" className={classes.chip} onClick={filter.clear} aria-label={`Remove filter ${filter.text}`}>
            <span className={classes.chipText} title={filter.text}>
              {filter.text}
            </span>
            <IconX size={12} aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={classes.clearAll} onClick={onClearAll}>
          Clear filters
        </button>
      </li>
    </ul>
  )
}
