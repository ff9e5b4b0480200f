import type { ReactNode } from 'react'
import classes from '#web/parts/LineList.module.css'

/** A list in a dialog: lines of a `LineName`, details, and buttons. */
export const LineList = ({ children }: { children: ReactNode }) => (
  <ul className={classes.lines}>{children}</ul>
)

/** The name at the start of a line. */
export const LineName = ({ children }: { children: ReactNode }) => (
  <span className={classes.name}>{children}</span>
)
