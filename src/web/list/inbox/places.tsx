import type { ReactNode } from 'react'
import classes from '#web/list/inbox/inbox.module.css'

/** Centers a state in a pane. */
export const Middle = ({ children }: { children: ReactNode }) => (
  <div className={classes.middle}>{children}</div>
)

const widths = [70, 40, 85, 55]

/** Placeholder for a record that loads. */
export const PaneSkeleton = () => (
  <div className={classes.paneSkeleton} role="status" aria-label="Loading">
    {widths.map((width) => (
      <span key={width} className={classes.skeleton} style={{ width: `${width}%` }} />
    ))}
  </div>
)
