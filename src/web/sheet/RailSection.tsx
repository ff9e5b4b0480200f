import type { ReactNode } from 'react'
import { Soft } from '#web/parts/Soft.tsx'
import classes from '#web/sheet/sheet.module.css'
import { countText } from '#web/time.ts'

interface Props {
  title: string
  /** Whether the title is only read aloud, because the content explains itself. */
  isTitleHidden?: boolean
  /** Number of entries, next to the title. */
  count?: number
  /** Button or link at the end of the title. */
  action?: ReactNode
  children: ReactNode
}

/** A section of a sheet's rail. */
export const RailSection = ({ title, isTitleHidden, count, action, children }: Props) => (
  <section className={classes.section} aria-label={title}>
    {!isTitleHidden && (
      <div className={classes.title}>
        <h2>
          {title}
          {count !== undefined && <Soft as="span"> {countText(count)}</Soft>}
        </h2>
        {action}
      </div>
    )}
    {children}
  </section>
)
