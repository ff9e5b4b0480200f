import type { ReactNode } from 'react'
import classes from '#web/sheet/sheet.module.css'

/** Main pane of a sheet that scrolls as a whole, such as a timeline. */
export const Story = ({ children }: { children: ReactNode }) => (
  <div className={classes.story}>{children}</div>
)
