import type { ComponentProps } from 'react'
import classes from '#web/parts/Panel.module.css'

interface Props extends ComponentProps<'section'> {
  /** With less space between its parts. */
  dense?: boolean
}

/** A framed section of a page, whose title is an h2. */
export const Panel = ({ dense, ...rest }: Props) => (
  <section {...rest} className={classes.panel} data-dense={dense} />
)
