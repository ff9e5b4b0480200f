import { useState } from 'react'
import { Button, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { records } from '#shared/record.contract.ts'
import { users } from '#features/crm/users/contract.ts'
import classes from '#features/crm/users/web/users.module.css'
import { ask } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Moment } from '#web/Moment.tsx'
import { toast } from '#web/shell/toast.ts'

/** The notes on a user, and a new one for who may write it. */
export function UserNotes({ id }: { id: number }) {
  const notes = useQuery(ask(records.notes, { params: { a: 'customer_user', b: id } })).data?.data ?? []
  const may = useMay(users.saveNote, { body: { note: '', user: id } })
  const [note, setNote] = useState('')
  const { send, sending } = useSend(users.saveNote, {
    refresh: [records.notes, records.history],
    onDone: ({ message }) => {
      setNote('')
      toast.success(message)
    },
  })
  if (!may && notes.length === 0) return null
  return (
    <section className={classes.notes} aria-label="Notes">
      <h3>Notes</h3>
      {may && (
        <>
          <Textarea aria-label="New note" autosize minRows={2} maxLength={10_000} value={note} onChange={(event) => setNote(event.currentTarget.value)} />
          <Button size="xs" variant="default" loading={sending} disabled={note.trim() === ''} onClick={() => void send({ body: { note, user: id } })}>
            Save note
          </Button>
        </>
      )}
      <ul>
        {notes.map((one) => (
          <li key={one.id}>
            <p>{one.body}</p>
            <span>
              {one.who}, <Moment at={one.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
