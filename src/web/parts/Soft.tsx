import type { ComponentProps } from 'react'
import classes from '#web/parts/Soft.module.css'

interface Props extends ComponentProps<'p'> {
  as?: 'p' | 'span'
}

/** Text in a softer color, such as an explanation or “No sessions yet.”. */
export const Soft = ({ as: Element = 'p', ...rest }: Props) => <Element {...rest} className={classes.soft} />
