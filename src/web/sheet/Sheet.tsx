import { useState, type ReactNode } from 'react'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { Later } from '#web/parts/Later.tsx'
import classes from '#web/sheet/sheet.module.css'

interface Props {
  /** Heading of the page, such as a `RecordHeader`. */
  head: ReactNode
  /** A notice across the page, below the heading. */
  notice?: ReactNode
  /** Sections with the record's facts, on the left; `rail` then has what is linked to it. */
  facts?: ReactNode
  /** Main pane; its parts decide what scrolls. */
  children: ReactNode
  /** Sections with the record's properties, on the right. */
  rail: ReactNode
  /** The properties that a phone shows while the others are folded. */
  summary: ReactNode
}

/**
 * Frame of a record's page: its heading, a main pane, and a rail of properties, each scrolling on its own. On a
 * phone, the properties are behind one line.
 */
export function Sheet({ head, notice, facts, children, rail, summary }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={classes.sheet} data-sheet data-details={isOpen || undefined}>
      <div className={classes.head}>{head}</div>
      {notice}
      <button
        type="button"
        className={classes.summary}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={classes.hidden}>Details: </span>
        {summary}
        <IconChevronDown className={classes.chevron} size={16} aria-hidden />
      </button>
      <div className={classes.panes} data-three={facts !== undefined || undefined}>
        {facts !== undefined && (
          <aside className={classes.facts} aria-label="Properties" data-palette-part="This page">
            <Later>{facts}</Later>
          </aside>
        )}
        <div className={classes.main}>
          <Later>{children}</Later>
        </div>
        <aside
          className={classes.rail}
          data-rail
          aria-label={facts === undefined ? 'Properties' : 'Related'}
          data-palette-part="This page"
        >
          <Later>{rail}</Later>
        </aside>
      </div>
    </div>
  )
}
