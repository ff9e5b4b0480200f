import type { ComponentProps, ElementType } from 'react'
import classes from '#web/parts/VisuallyHidden.module.css'

interface Props extends ComponentProps<'span'> {
  as?: ElementType
}

/** Text for screen readers only. */
export const VisuallyHidden = ({ as: Element = 'span', ...rest }: Props) => (
  <Element {...rest} className={classes.visuallyHidden} />
)
