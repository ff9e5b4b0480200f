import type { ComponentProps } from 'react'
import classes from '#web/parts/LinkButton.module.css'

/** A button within a sentence or a line of text, which looks like a link. */
export const LinkButton = (props: ComponentProps<'button'>) => (
  <button type="button" {...props} className={classes.link} />
)
