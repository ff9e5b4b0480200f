import type { ComponentProps } from 'react'
import classes from '#web/parts/Panel.module.css'

/** A framed section of a page, whose title is an h2. */
export const Panel = (props: ComponentProps<'section'>) => <section {...props} className={classes.panel} />
