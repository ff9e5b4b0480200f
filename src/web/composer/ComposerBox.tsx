import type { ReactNode, Ref } from 'react'
import classes from '#web/composer/composer.module.css'

interface Props {
  ref?: Ref<HTMLElement>
  /** Accessible name. */
  label: string
  /** Whether only admin users can read what is written. */
  isInternal?: boolean | undefined
  children: ReactNode
}

/** Frame of a composer, also of a form without tabs. */
export const ComposerBox = ({ ref, label, isInternal, children }: Props) => (
  <section ref={ref} className={classes.composer} aria-label={label} data-internal={isInternal || undefined}>
    {children}
  </section>
)
