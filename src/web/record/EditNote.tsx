import { useState } from 'react'
import { Button } from '@mantine/core'
import { EditedNote, recordNotes, type NoteInTimeline } from '#shared/notes.contract.ts'
import type { RecordType } from '#shared/records.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerForm, SubmitButton } from '#web/composer/ComposerForm.tsx'
import { MentionText } from '#web/composer/MentionText.tsx'
import { useMentionable } from '#web/composer/useMentionable.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useMerged } from '#web/record/useMerged.tsx'
import { useUndo } from '#web/record/useUndo.ts'

interface Props {
  type: RecordType
  /** The record on whose page the note is. */
  id: number
  note: NoteInTimeline
  onClose: () => void
}

/** Form for the words of a note, in its place; people are notified if they are mentioned in it for the first time. */
export function EditNote({ type, id, note, onClose }: Props) {
  const { announceAct } = useUndo()
  const { send } = useSend(recordNotes.edit, { failure: 'throw' })
  const { people, mentionedIds } = useMentionable(
    queryOptionsFor(recordNotes.readers, { params: { a: type, b: id } }),
  )
  // The words when the form opened; the note itself follows changes by others. It has no version, so words are compared.
  const [seen] = useState({ version: 0, note: note.body })
  const merged = useMerged<{ note: string }>(seen, 'this note', { note: { label: 'Note' } })
  const form: DraftForm<{ note: string }> = useDraftForm({
    name: `note-${note.id}`,
    initial: { note: seen.note },
    schema: EditedNote,
    onSave: (values) =>
      merged.save(
        values,
        async (changes, { base }) => {
          const tag_user = await mentionedIds(changes.note)
          const reply = await send({
            params: { a: type, b: id, id: note.id },
            body: {
              ...changes,
              base: { note: String(base['note']) },
              ...(tag_user.length > 0 && { tag_user }),
            },
          })
          if (reply) announceAct(reply.message, reply.operation ?? null)
        },
        form.outdated,
      ),
    onSaved: onClose,
  })
  const cancel = () => {
    form.discard()
    onClose()
  }
  return (
    <>
      <ComposerForm
        label="Edit note"
        form={form}
        acts={
          <>
            <Button size="xs" variant="default" onClick={cancel}>
              Cancel
            </Button>
            <SubmitButton form={form}>Save note</SubmitButton>
          </>
        }
      >
        <MentionText
          label="Edit the note"
          placeholder="Type @ to mention someone."
          maxLength={10_000}
          people={people}
          {...form.fields.getInputProps('note')}
        />
      </ComposerForm>
      {merged.dialog}
    </>
  )
}
