import { dayText, type PlainDate } from '#shared/dates.ts'
import classes from '#web/list/cells.module.css'
import { today } from '#web/time.ts'

export interface Due {
  day: PlainDate | null
  /** Whether the record is unfinished, so that it can be overdue. */
  isOpen: boolean
  /** Name of the date, for a place without a column header. */
  label?: string
}

export const isOverdue = ({ day, isOpen }: Due): boolean => isOpen && day !== null && day < today()

/** A date by which work is due. If it has passed, the text says so, because color alone is not enough. */
export const DueDate = ({ day, isOpen, label }: Due) =>
  day &&
  (isOverdue({ day, isOpen }) ? (
    <span className={classes.overdue}>Overdue {dayText(day)}</span>
  ) : (
    `${label ? `${label} ` : ''}${dayText(day)}`
  ))
