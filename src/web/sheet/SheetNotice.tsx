import type { ReactNode } from 'react'
import classes from '#web/sheet/sheet.module.css'

interface Props {
  icon: ReactNode
  /** Button that ends the state, if the viewer can use it. */
  action?: ReactNode
  /** The problem of the record: since when, by whom, and why. */
  children: ReactNode
}

/** A notice across a sheet, below its heading. */
export const SheetNotice = ({ icon, action, children }: Props) => (
  <div className={classes.notice} role="status">
    {icon}
    <span>{children}</span>
    {action}
  </div>
)
