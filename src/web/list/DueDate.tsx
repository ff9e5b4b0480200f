import { dayText, type PlainDate } from '#shared/dates.ts'
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
export function DueDate({ day, isOpen, label }: Due) {
  if (day === null) return null
  if (isOverdue({ day, isOpen }))
    return <span style={{ color: 'var(--mantine-color-error)' }}>Overdue {dayText(day)}</span>
  return label === undefined ? dayText(day) : `${label} ${dayText(day)}`
}
