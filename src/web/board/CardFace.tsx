import type { ReactNode } from 'react'
import IconCalendarEvent from '@tabler/icons-react/dist/esm/icons/IconCalendarEvent.mjs'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import { dayText, daysBetween, type PlainDate } from '#shared/dates.ts'
import { Initials } from '#web/Avatar.tsx'
import classes from '#web/board/board.module.css'
import { useToday } from '#web/time.ts'

/** The texts and marks of a card. */
export interface CardTexts {
  title: string
  /** Shown after the title if something is wrong. */
  warning?: ReactNode
  /** Second line, such as the customer. */
  text: string
  isNew?: boolean
  /** Shown at the end of the second line. */
  amount?: string
  /** Status or priority. */
  mark?: ReactNode
  /** The next date; `label` says what happens then, `none` stands for a missing date. */
  due?: { day: PlainDate | null; isOpen: boolean; label: string; none?: string }
  /** The assignee; null if there is none. Without the property, the card has no assignee. */
  assignee?: string | null
}

/** The content of a card: title, text, and a line with a mark, a date, and the assignee. */
export const CardFace = ({ title, warning, text, isNew, amount, mark, due, assignee }: CardTexts) => (
  <>
    <span className={classes.title}>
      {title}
      {warning}
    </span>
    <span className={classes.text}>
      <span>{text}</span>
      {amount && <span className={classes.amount}>{amount}</span>}
      {isNew && <span className={classes.new}>New</span>}
    </span>
    <span className={classes.line}>
      {mark}
      <span className={classes.end}>
        {due?.day ? (
          <CardDue {...due} day={due.day} />
        ) : (
          due?.none && <span className={classes.due}>{due.none}</span>
        )}
        {assignee !== undefined && <Assignee name={assignee} />}
      </span>
    </span>
  </>
)

function CardDue({ day, isOpen, label }: { day: PlainDate; isOpen: boolean; label: string }) {
  const now = useToday()
  const late = daysBetween(day, now)
  const isLate = isOpen && late > 0
  return (
    <span className={classes.due} data-late={isLate || undefined} title={`${label} ${dayText(day)}`}>
      {!isLate && <IconCalendarEvent size={14} aria-hidden />}
      {isLate ? `${late} ${late === 1 ? 'day' : 'days'} overdue` : late === 0 ? 'Today' : shortDay(day, now)}
    </span>
  )
}

/** A card is narrow, so the current year is left out. */
const shortDay = (day: PlainDate, now: PlainDate) =>
  day.slice(0, 4) === now.slice(0, 4) ? dayText(day).slice(0, -5) : dayText(day)

const Assignee = ({ name }: { name: string | null }) => (
  <span className={classes.person} role="img" aria-label={name ?? 'Unassigned'} title={name ?? 'Unassigned'}>
    {name === null ? <IconUserPlus size={12} aria-hidden /> : <Initials name={name} size={22} />}
  </span>
)
