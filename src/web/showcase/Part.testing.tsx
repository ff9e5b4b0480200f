import type { ReactNode } from 'react'
import classes from '#web/showcase/showcase.module.css'

/** A shared part, with its samples. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.part}>
    <h2>{title}</h2>
    {children}
  </section>
)

/** Small samples next to each other. */
export const Row = ({ children }: { children: ReactNode }) => <div className={classes.row}>{children}</div>
