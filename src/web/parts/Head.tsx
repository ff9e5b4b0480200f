import type { ReactNode } from 'react'
import classes from '#web/parts/Head.module.css'

interface Props {
  as?: 'div' | 'p'
  title?: string | undefined
  children: ReactNode
}

/** A line with a title or text at its start, and a status or actions at its end. */
export const Head = ({ as: Element = 'div', ...rest }: Props) => (
  <Element {...rest} className={classes.head} />
)
