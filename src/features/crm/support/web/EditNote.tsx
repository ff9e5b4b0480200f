import type { TicketComment } from '#features/crm/support/ticket-comment.contract.ts'
import { conversation, TicketCommentInput } from '#features/crm/support/conversation.contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { MentionText } from '#web/composer/MentionText.tsx'
import { useMentionable } from '#web/composer/useMentionable.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useUndo } from '#web/record/useUndo.ts'

interface Props {
  comment: TicketComment
  onClose: () => void
}

/** Form for the text of an internal note; people are notified if they are mentioned in it for the first time. */
export default function EditNote({ comment, onClose }: Props) {
  const { id, ticket_id, support_comment } = comment
  const { announceAct } = useUndo()
  const { send } = useSend(conversation.editComment, { failure: 'throw' })
  const { people, mentionedIds } = useMentionable(
    queryOptionsFor(conversation.taggable, { params: { id: ticket_id } }),
  )
  const form = useDraftForm({
    name: `ticket-note-${id}`,
    initial: { support_comment },
    schema: TicketCommentInput,
    onSave: async (values) => {
      const tag_user = await mentionedIds(values.support_comment)
      const reply = await send({ params: { ticket: ticket_id, id }, body: { ...values, tag_user } })
      if (reply) announceAct(reply.message, reply.operation ?? null)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title="Edit note" form={form} onClose={onClose}>
      <div className={classes.editNote}>
        <MentionText
          label="Note"
          placeholder="Type @ to mention someone, # to link a ticket."
          maxLength={10_000}
          people={people}
          {...form.fields.getInputProps('support_comment')}
        />
      </div>
    </FormModal>
  )
}
