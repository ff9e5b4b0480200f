import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal } from '@mantine/core'
import { dayText } from '#shared/dates.ts'
import { holidays } from '#features/tasks/tasks/calendar/contract.ts'
import classes from '#features/tasks/tasks/calendar/web/calendar.module.css'
import { DateInput } from '#web/dates/DateInput.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'
import { useDialog } from '#web/parts/useDialog.ts'

/** Dialog for editing the calendar holidays, which roles 0 and 1 maintain. */
export default function HolidaysDialog({ onClose }: { onClose: () => void }) {
  const dialog = useDialog()
  const { data } = useQuery(queryOptionsFor(holidays.all))
  const [typed, setTyped] = useState({ day: '', name: '' })
  const done = {
    onDone: ({ message }: { message: string }) => toast.success(message),
  }
  const { send: save, sending } = useSend(holidays.save, {
    ...done,
    onDone: (reply) => {
      setTyped({ day: '', name: '' })
      toast.success(reply.message)
    },
  })
  const { send: remove } = useSend(holidays.remove, done)
  return (
    <Modal {...dialog} opened onClose={onClose} title="Holidays">
      <form
        className={classes.holidayForm}
        aria-label="New holiday"
        onSubmit={(event) => {
          event.preventDefault()
          void save({ body: typed })
        }}
      >
        <DateInput
          aria-label="Date"
          required
          value={typed.day}
          onChange={(day) => setTyped({ ...typed, day })}
        />
        <input
          aria-label="Name"
          required
          maxLength={100}
          value={typed.name}
          onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
        />
        <Button type="submit" loading={sending}>
          Add
        </Button>
      </form>
      <ul className={classes.holidays}>
        {data?.data.map(({ day, name }) => (
          <li key={day}>
            <span>
              {dayText(day)} · {name}
            </span>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Remove ${name}`}
              onClick={() => void remove({ params: { day } })}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {data?.data.length === 0 && <p>No holidays yet.</p>}
    </Modal>
  )
}
