import { useState, type KeyboardEvent } from 'react'
import { Button } from '@mantine/core'
import { addDays, dayText, type PlainDate } from '#shared/dates.ts'
import classes from '#features/crm/leads/record/web/followupChoice.module.css'
import { DayMenu } from '#web/dates/DayMenu.tsx'
import { useToday } from '#web/time.ts'

interface Props {
  /** The day that is chosen; empty for none. */
  day: string
  /** Called with an empty string if the chosen day is removed. */
  onChoose: (day: string) => void
  /** The follow-up date that stays if none is chosen. */
  current: PlainDate | null
  /** Whether today is offered, to call again later. */
  hasToday?: boolean
  error?: string | undefined
}

/** Choice of the next follow-up date in a form: with one click or key, or from a calendar. */
export function FollowupChoice({ day, onChoose, current, hasToday, error }: Props) {
  const today = useToday()
  const days = [
    ...(hasToday ? [['Today', today, undefined] as const] : []),
    ['Tomorrow', addDays(today, 1), 't'] as const,
    ['In a week', addDays(today, 7), 'w'] as const,
  ]
  const toggle = (chosen: PlainDate) => onChoose(chosen === day ? '' : chosen)
  const press = (event: KeyboardEvent<HTMLElement>) => {
    // In the menu with the calendar, Enter chooses the day and doesn't save the form around it.
    if (!event.currentTarget.contains(event.target as Node)) {
      if (event.key === 'Enter') event.stopPropagation()
      return
    }
    const [, chosen] = days.find(([, , letter]) => letter === event.key) ?? []
    if (chosen === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    onChoose(chosen)
  }
  return (
    <div
      className={classes.choice}
      role="group"
      aria-label="Next follow-up"
      data-path="followup_date"
      onSubmit={(event) => event.stopPropagation()}
      onKeyDown={press}
    >
      <span className={classes.label} aria-hidden>
        Follow-up
      </span>
      {days.map(([label, chosen, letter]) => (
        <Button
          key={label}
          size="compact-xs"
          variant={day === chosen ? 'light' : 'default'}
          aria-pressed={day === chosen}
          title={letter ? `${dayText(chosen)} (${letter})` : dayText(chosen)}
          onClick={() => toggle(chosen)}
        >
          {label}
        </Button>
      ))}
      <OtherDay day={days.some(([, chosen]) => chosen === day) ? '' : day} onChoose={onChoose} />
      {error ? <span className={classes.error}>{error}</span> : day === '' && <Stays current={current} />}
    </div>
  )
}

const Stays = ({ current }: Pick<Props, 'current'>) => (
  <span className={classes.label}>{current === null ? 'No date yet' : `Stays ${dayText(current)}`}</span>
)

function OtherDay({ day, onChoose }: Pick<Props, 'day' | 'onChoose'>) {
  const [isWanted, setWanted] = useState(false)
  const button = (props: object) => (
    <Button
      size="compact-xs"
      variant={day === '' ? 'subtle' : 'light'}
      color={day === '' ? 'gray' : undefined}
      aria-pressed={day !== ''}
      aria-haspopup="dialog"
      {...props}
    >
      {day === '' ? 'Pick date' : dayText(day)}
    </Button>
  )
  if (!isWanted) return button({ onClick: () => setWanted(true) })
  return (
    <DayMenu
      label="Next follow-up date"
      target={button}
      day={day === '' ? null : day}
      mayRemove={day !== ''}
      onChoose={(chosen) => onChoose(chosen ?? '')}
    />
  )
}
