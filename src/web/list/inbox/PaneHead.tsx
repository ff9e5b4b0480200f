import type { ReactNode } from 'react'
import classes from '#web/list/inbox/inbox.module.css'
import { Soft } from '#web/parts/Soft.tsx'

interface Props {
  /** Number of the record; left out if it means nothing to users. */
  number?: number
  title: string
  /** Who or what the record is about. */
  about?: ReactNode
  /** Status and actions, on the right. */
  children?: ReactNode
}

/** Heading of the record that is open beside its list. */
export const PaneHead = ({ number, title, about, children }: Props) => (
  <header className={classes.paneHead}>
    <div className={classes.paneNames}>
      <h2 title={title}>
        {number !== undefined && <Soft as="span">#{number}</Soft>} {title}
      </h2>
      {about && <Soft small>{about}</Soft>}
    </div>
    {children}
  </header>
)
