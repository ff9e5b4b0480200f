import type { ComponentProps } from 'react'
import classes from '#web/parts/Popup.module.css'

/** A box anchored to the button that opens it, above everything else: the browser's native popover. */
export const Popup = ({ className = '', ...rest }: ComponentProps<'div'>) => (
  <div popover="auto" {...rest} className={`${classes.popup} ${className}`} />
)
