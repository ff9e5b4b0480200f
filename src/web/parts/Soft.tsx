import type { ComponentProps, ElementType } from 'react'
import classes from '#web/parts/Soft.module.css'

interface Props extends ComponentProps<'p'> {
  as?: ElementType
  small?: boolean
}

/** Text in a softer color, such as an explanation or “No sessions yet.”. */
export const Soft = ({ as: Element = 'p', small, ...rest }: Props) => (
  <Element {...rest} className={classes.soft} data-small={small} />
)
