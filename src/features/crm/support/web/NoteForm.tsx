import { Suspense, useState } from 'react'
import type { Ticket } from '#features/crm/support/contract.ts'
import { conversation, NewTicketComment } from '#features/crm/support/conversation.contract.ts'
import { noteDraft } from '#features/crm/support/web/sentReply.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerForm, SubmitButton } from '#web/composer/ComposerForm.tsx'
import { MentionText } from '#web/composer/MentionText.tsx'
import { useAttachments } from '#web/composer/useAttachments.tsx'
import { useMentionable } from '#web/composer/useMentionable.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const NoteLinks = lazyPart(() => import('#features/crm/support/web/NoteLinks.tsx'))

const empty = { support_comment: '', file_ids: [] as number[], message_id: '', lead_id: '' }
export type NoteValues = typeof empty

/** Form for an internal note on a ticket; admin users who are mentioned in it are notified. */
export function NoteForm({ ticket }: { ticket: Ticket }) {
  const { send } = useSend(conversation.comment, {
    failure: 'throw',
  })
  const { people, mentionedIds } = useMentionable(
    queryOptionsFor(conversation.taggable, { params: { id: ticket.id } }),
  )
  const toSend = ({ support_comment, file_ids, message_id, lead_id }: NoteValues) => ({
    support_comment,
    file_ids,
    ticket_id: ticket.id,
    ...(message_id === '' ? {} : { message_id: Number(message_id) }),
    ...(lead_id === '' ? {} : { lead_id: Number(lead_id) }),
    ...(ticket.org_id === 0 ? {} : { organization_id: ticket.org_id }),
  })
  const form: DraftForm<NoteValues> = useDraftForm({
    name: noteDraft(ticket.id),
    initial: empty,
    schema: NewTicketComment,
    toSend,
    onSave: async (values) => {
      const tag_user = await mentionedIds(values.support_comment)
      const reply = await send({ body: { ...toSend(values), tag_user } })
      if (!reply) return
      toast.success(reply.message)
      form.discardSent(values)
    },
  })
  const { fields } = form
  const files = useAttachments(form.inner.tell, fields.getValues().file_ids, (ids) =>
    fields.setFieldValue('file_ids', ids),
  )
  return (
    <ComposerForm
      label="Internal note"
      form={form}
      files={files}
      writing={{ type: 'ticket', id: ticket.id, what: 'note' }}
      tools={<Links form={form} ticket={ticket} />}
      acts={
        <>
          {files.button}
          <SubmitButton form={form}>Add note</SubmitButton>
        </>
      }
    >
      <MentionText
        label="Note"
        placeholder="Write a note that only admin users can read. Type @ to mention someone, # to link a ticket."
        maxLength={10_000}
        people={people}
        {...fields.getInputProps('support_comment')}
      />
    </ComposerForm>
  )
}

/** The message or lead that the note is about; the fields load when they are opened. */
function Links({ form, ticket }: { form: DraftForm<NoteValues>; ticket: Ticket }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Link to a message or lead</summary>
      {isOpen && (
        <Suspense fallback={<Soft>Loading…</Soft>}>
          <NoteLinks form={form} ticket={ticket} />
        </Suspense>
      )}
    </details>
  )
}
