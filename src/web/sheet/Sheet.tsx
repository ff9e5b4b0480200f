import { useState, type ReactNode } from 'react'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import classes from '#web/sheet/sheet.module.css'

interface Props {
  /** Heading of the page, such as a `RecordHeader`. */
  head: ReactNode
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
export function Sheet({ head, children, rail, summary }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={classes.sheet} data-sheet data-details={isOpen || undefined}>
      <div className={classes.head}>{head}</div>
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
      <div className={classes.panes}>
        <div className={classes.main}>{children}</div>
        <aside className={classes.rail} aria-label="Properties">
          {rail}
        </aside>
      </div>
    </div>
  )
}
