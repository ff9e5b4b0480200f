import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { leads } from '#features/crm/leads/contract.ts'
import { NewNote, records } from '#shared/record.contract.ts'
import classes from '#features/crm/leads/list/web/leads.module.css'
import { ask } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { LongTextField } from '#web/form/fields.tsx'
import { useWarnBeforeLeaving } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'

/** The notes on a lead, newest first, and a field to write one. */
export function LeadNotes({ id }: { id: number }) {
  const query = useQuery(ask(records.notes, { params: { a: 'lead', b: id } }))
  const mayWrite = useMay(records.addNote, { params: { a: 'lead', b: id }, body: { note: '' } })
  return (
    <section className={classes.panel} aria-label="Notes">
      <h2>Notes</h2>
      {mayWrite && <NoteForm id={id} />}
      <Loaded query={query} skeleton={<p role="status">Loading…</p>}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={classes.nothing}>No notes yet.</p>
          ) : (
            <ol className={classes.notes}>
              {data.map((note) => (
                <li key={note.id}>
                  <p className={classes.noteBody}>{note.body}</p>
                  <p className={classes.byline}>
                    {note.who} · <Moment at={note.created_at} />
                  </p>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </section>
  )
}

function NoteForm({ id }: { id: number }) {
  const { send } = useSend(records.addNote, { refresh: [records.notes, leads.history], failure: 'throw' })
  const form = useDraftForm({
    name: `lead-note-${id}`,
    initial: { note: '' },
    schema: NewNote,
    onSave: async ({ note }) => {
      await send({ params: { a: 'lead', b: id }, body: { note } })
      // Somebody may be typing the next one already.
      if (form.fields.getValues().note === note) form.discard()
    },
  })
  useWarnBeforeLeaving(form)
  return (
    <form {...form.formProps} className={classes.newNote} aria-label="New note">
      <LongTextField form={form.fields} name="note" label="Write a note" rows={2} maxLength={10_000} />
      {form.failure && (
        <p role="alert" className={classes.failure}>
          {form.failure}
        </p>
      )}
      <Button type="submit" size="xs" loading={form.saving} title="Ctrl+Enter">
        Add note
      </Button>
    </form>
  )
}
