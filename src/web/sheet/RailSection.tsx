import type { ReactNode } from 'react'
import classes from '#web/sheet/sheet.module.css'

interface Props {
  title: string
  /** Whether the title is only read aloud, because the content explains itself. */
  isTitleHidden?: boolean
  children: ReactNode
}

/** A section of a sheet's rail. */
export const RailSection = ({ title, isTitleHidden, children }: Props) => (
  <section className={classes.section} aria-label={title}>
    {!isTitleHidden && <h2>{title}</h2>}
    {children}
  </section>
)
