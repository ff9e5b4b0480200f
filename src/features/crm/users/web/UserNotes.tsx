import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { NewNote, records } from '#shared/record.contract.ts'
import { users } from '#features/crm/users/contract.ts'
import classes from '#features/crm/users/web/users.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { LongTextField } from '#web/form/inputs.tsx'
import { useWarnBeforeLeaving } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { Moment } from '#web/Moment.tsx'
import { useUndo } from '#web/record/useUndo.ts'

/** Notes about a user, with a field for adding a note if the viewer is allowed to. */
export function UserNotes({ id }: { id: number }) {
  const notes =
    useQuery(queryOptionsFor(records.notes, { params: { a: 'customer_user', b: id } })).data?.data ?? []
  const may = useMay(users.saveNote, { body: { note: '', user: id } })
  if (!may && notes.length === 0) return null
  return (
    <section className={classes.notes} aria-label="Notes">
      <h3>Notes</h3>
      {may && <NewUserNote id={id} />}
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

/** Field for a new note. It isn't a form element, because it is inside the user's form. */
function NewUserNote({ id }: { id: number }) {
  const refresh = [records.notes, records.history]
  const { announceAct } = useUndo(refresh)
  const { send } = useSend(users.saveNote, { refresh, failure: 'throw' })
  const form = useDraftForm({
    name: `user-note-${id}`,
    initial: { note: '' },
    schema: NewNote,
    onSave: async ({ note }) => {
      const reply = await send({ body: { note, user: id } })
      if (!reply) return
      announceAct(reply.message, reply.operation)
      // The viewer may already be writing the next note.
      if (form.fields.getValues().note === note) form.discard()
    },
  })
  useWarnBeforeLeaving(form)
  return (
    <div role="group" aria-label="New note" className={classes.newNote} onKeyDown={form.formProps.onKeyDown}>
      <LongTextField form={form.fields} name="note" label="New note" rows={2} maxLength={10_000} />
      {form.failure && <p role="alert">{form.failure}</p>}
      <Button
        size="xs"
        variant="default"
        loading={form.saving}
        title="Ctrl+Enter"
        onClick={() => void form.submit()}
      >
        Add note
      </Button>
    </div>
  )
}
