import type { ComponentProps } from 'react'
import classes from '#web/parts/CountButton.module.css'

interface Props extends ComponentProps<'button'> {
  label: string
  count: number
  /** The count with its noun, such as `3 unread`. */
  counted: string
}

/** Icon button in the top bar with an unobtrusive count of new items. */
export function CountButton({ label, count, counted, children, ...rest }: Props) {
  const shown = count > 99 ? '99+' : String(count)
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={count > 0 ? `${label}, ${shown} ${counted}` : label}
      title={label}
      {...rest}
    >
      {children}
      {count > 0 && (
        <span className={classes.count} aria-hidden>
          {shown}
        </span>
      )}
    </button>
  )
}
