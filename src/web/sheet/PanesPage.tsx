import type { ReactNode } from 'react'
import classes from '#web/sheet/PanesPage.module.css'

interface Props {
  /** Whether a phone shows what is open in place of the list that it was opened from; the panes' styles decide how. */
  isOpen?: boolean
  /** A `PanesHead`, and the panes below it, which scroll on their own. */
  children: ReactNode
}

/** Frame of a page whose panes fill it to the bottom. A record’s page has a `Sheet`. */
export const PanesPage = ({ isOpen, children }: Props) => (
  <div className={classes.page} data-sheet data-open={isOpen || undefined}>
    {children}
  </div>
)

/** The heading of a page with panes, from one edge to the other. */
export const PanesHead = ({ children }: { children: ReactNode }) => (
  <div className={classes.head}>{children}</div>
)
