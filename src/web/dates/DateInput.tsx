import classes from '#web/dates/dates.module.css'
import { useDateInput, type DateInputOptions } from '#web/dates/useDateInput.tsx'

interface Props extends DateInputOptions {
  'aria-label'?: string
  autoFocus?: boolean
  className?: string | undefined
}

/** Field for a date where there is no room for a label, such as in a row; see `useDateInput`. */
export function DateInput({ 'aria-label': label, autoFocus, className, ...options }: Props) {
  const { root, input, calendar, error, reading } = useDateInput(options)
  return (
    <span className={classes.frame} {...root}>
      <input
        {...input}
        className={`${classes.input} ${className ?? ''}`}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        title={error}
        autoFocus={autoFocus}
      />
      {calendar}
      {reading !== undefined && (
        <span role="status" className={classes.reading}>
          {reading}
        </span>
      )}
    </span>
  )
}
