import { useState, type ReactElement, type ReactNode } from 'react'
import { Button, Popover, TextInput } from '@mantine/core'
import { addDays } from '#shared/dates.ts'
import { todayHere } from '#features/leads/web/period.ts'
import classes from '#features/leads/web/leads.module.css'

interface Props {
  label: string
  /** The button that opens it. */
  target: (props: object) => ReactNode
  day: string | null
  mayRemove: boolean
  onChoose: (day: string | null) => void
}

/** A day by one click or by the browser's own date field. */
export default function DayMenu({ label, target, day, mayRemove, onChoose }: Props) {
  const [opened, setOpened] = useState(true)
  const [typed, setTyped] = useState(day ?? '')
  const today = todayHere()
  const choose = (chosen: string | null) => {
    setOpened(false)
    onChoose(chosen)
  }
  const quick = [
    ['Today', today],
    ['Tomorrow', addDays(today, 1)],
    ['In a week', addDays(today, 7)],
    ['In a month', addDays(today, 30)],
  ] as const

  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus withinPortal withRoles={false}>
      <Popover.Target>{target({ onClick: () => setOpened(!opened), 'aria-expanded': opened }) as ReactElement}</Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label} className={classes.dayMenu}>
        <div className={classes.quickDays}>
          {quick.map(([words, chosen]) => (
            <Button key={words} size="compact-xs" variant="default" onClick={() => choose(chosen)}>
              {words}
            </Button>
          ))}
        </div>
        <form
          className={classes.dayForm}
          onSubmit={(event) => {
            event.preventDefault()
            if (typed) choose(typed)
          }}
        >
          <TextInput type="date" aria-label="Date" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
          <Button type="submit" size="xs" disabled={!typed}>
            Set
          </Button>
        </form>
        {mayRemove && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => choose(null)}>
            Remove the date
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
