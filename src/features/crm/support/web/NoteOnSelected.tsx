import { IncidentNote } from '#features/crm/support/incidents.contract.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { leftOutText, ticketsText } from '#features/crm/support/web/answers/answerWords.ts'
import classes from '#features/crm/support/web/support.module.css'
import { useSend } from '#web/api/useSend.ts'
import { MentionText } from '#web/composer/MentionText.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useUndo } from '#web/record/useUndo.ts'

interface Props {
  /** The selected tickets, up to `mostAnswered`. */
  ids: readonly number[]
  onClose: () => void
  /** Called when the notes were added. */
  onDone: () => void
}

/** Dialog for one internal note on each of the tickets that are selected in the list. */
export default function NoteOnSelected({ ids, onClose, onDone }: Props) {
  const { announceAct } = useUndo()
  const { send } = useSend(desk.noteMany, {
    failure: 'throw',
    onDone: ({ message, operation, left_out }) => announceAct(message + leftOutText(left_out), operation),
  })
  const toSend = (values: { support_comment: string }) => ({ ...values, ticket_ids: [...ids] })
  const form = useDraftForm({
    name: 'note-on-selected',
    initial: { support_comment: '' },
    schema: IncidentNote,
    toSend,
    onSave: async (values) => {
      if (await send({ body: toSend(values) })) onDone()
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={`Internal note on ${ticketsText(ids.length)}`}
      form={form}
      onClose={onClose}
      saveLabel="Add note"
    >
      <div className={classes.editNote}>
        <MentionText
          label="Note"
          placeholder="Write a note that only admin users can read. It is added to each selected ticket."
          maxLength={10_000}
          people={[]}
          {...form.fields.getInputProps('support_comment')}
        />
      </div>
    </FormModal>
  )
}
