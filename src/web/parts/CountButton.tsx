import type { ComponentProps } from 'react'
import classes from '#web/parts/CountButton.module.css'

interface Props extends ComponentProps<'button'> {
  label: string
  count: number
  /** The counted noun: `3 unread`. */
  counted: string
}

/** Icon button of the top bar with a discreet count of new items. */
export const CountButton = ({ label, count, counted, children, ...rest }: Props) => (
  <button
    type="button"
    className={classes.button}
    aria-label={count > 0 ? `${label}, ${count} ${counted}` : label}
    title={label}
    {...rest}
  >
    {children}
    {count > 0 && (
      <span className={classes.count} aria-hidden>
        {count > 99 ? '99+' : count}
      </span>
    )}
  </button>
)
