import { Suspense, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react'
import { Button, Popover } from '@mantine/core'
import { isPlainDate } from '#shared/dates.ts'
import { DateInput } from '#web/dates/DateInput.tsx'
import classes from '#web/dates/dates.module.css'
import { daysAhead } from '#web/dates/presets.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { today } from '#web/time.ts'

const Calendar = lazyPart(() => import('#web/dates/Calendar.tsx'), 'Calendar')

interface Props {
  label: string
  /** Renders the button that opens the menu. */
  target: (props: object) => ReactNode
  day: string | null
  mayRemove: boolean
  onChoose: (day: string | null) => void
}

/** Menu for choosing a day, with one click, typed, or from a calendar. */
export function DayMenu({ label, target, day, mayRemove, onChoose }: Props) {
  const [opened, setOpened] = useState(true)
  const [typed, setTyped] = useState(day ?? '')
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const form = useRef<HTMLFormElement>(null)
  // This button has replaced the one that was originally clicked.
  const close = () => {
    setOpened(false)
    button?.focus()
  }
  const choose = (chosen: string | null) => {
    close()
    onChoose(chosen)
  }

  return (
    <Popover
      opened={opened}
      onChange={(open) => (open ? setOpened(true) : close())}
      position="bottom-end"
      trapFocus
      withinPortal
      withRoles={false}
    >
      <Popover.Target>
        {
          target({
            ref: setButton,
            onClick: () => setOpened(!opened),
            'aria-expanded': opened,
          }) as ReactElement
        }
      </Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={label}
        className={classes.dayMenu}
        // A date that is typed replaces the one in the field, whichever button has the focus.
        onKeyDown={(event) => {
          const field = isTyping(event) && form.current?.querySelector('input')
          if (!field) return
          field.focus()
          field.select()
        }}
      >
        <div className={classes.quickDays}>
          {daysAhead(today()).map(([words, chosen]) => (
            <Button key={words} size="compact-xs" variant="default" onClick={() => choose(chosen)}>
              {words}
            </Button>
          ))}
        </div>
        <form
          ref={form}
          className={classes.dayForm}
          onSubmit={(event) => {
            event.preventDefault()
            if (isPlainDate(typed)) choose(typed)
          }}
        >
          <DateInput aria-label="Date" withoutCalendar value={typed} onChange={setTyped} />
          <Button type="submit" size="xs" disabled={!isPlainDate(typed)}>
            Set date
          </Button>
        </form>
        <Suspense>
          <Calendar value={typed} onChoose={choose} />
        </Suspense>
        {mayRemove && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => choose(null)}>
            Clear date
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Whether a key that is pressed on a button begins a text. */
const isTyping = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey && target instanceof HTMLButtonElement
