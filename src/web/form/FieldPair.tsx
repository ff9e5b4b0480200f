import type { ReactNode } from 'react'
import classes from '#web/form/FieldPair.module.css'

/** Two fields next to each other; on a phone, one below the other. */
export const FieldPair = ({ children }: { children: ReactNode }) => (
  <div className={classes.pair}>{children}</div>
)
