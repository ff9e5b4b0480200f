import { useEffect, useRef, type KeyboardEvent } from 'react'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { conversation, TicketReplyBody } from '#features/crm/support/conversation.contract.ts'
import { emptyReply, replyDraft, replyText, type ReplyValues } from '#features/crm/support/reply.fields.ts'
import type { UnreadTicket } from '#features/panel/bell/web/bellActs.tsx'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerBox } from '#web/composer/ComposerBox.tsx'
import { ComposerForm, SubmitButton } from '#web/composer/ComposerForm.tsx'
import { ComposerText } from '#web/composer/ComposerText.tsx'
import { useAttachments } from '#web/composer/useAttachments.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'
import { IconButton } from '#web/parts/controls.tsx'

/** Composer of a reply to a ticket, in its row; it has the same draft as the ticket's page. */
export default function BellReply({ ticket, onClose }: { ticket: UnreadTicket; onClose: () => void }) {
  const { title } = ticket
  const box = useRef<HTMLElement>(null)
  const form = useBellReply(ticket, onClose)
  const { fields } = form
  const files = useAttachments(form.inner.tell, fields.getValues().file_ids, (ids) =>
    fields.setFieldValue('file_ids', ids),
  )
  useEffect(() => box.current?.querySelector<HTMLElement>('textarea, [contenteditable=true]')?.focus(), [])
  // The arrow keys and letters belong to the text.
  const keepKeys = (event: KeyboardEvent) => event.stopPropagation()
  return (
    <div onKeyDown={keepKeys}>
      <ComposerBox ref={box} label={`Reply to ${title}`}>
        <ComposerForm
          label="Reply"
          form={form}
          files={files}
          writing={{ type: 'ticket', id: ticket.st_id, what: 'reply' }}
          acts={
            <>
              {files.button}
              <IconButton
                bare
                label="Discard reply"
                onClick={() => {
                  form.discard()
                  onClose()
                }}
              >
                <IconTrash size={16} stroke={1.5} aria-hidden />
              </IconButton>
              <SubmitButton form={form}>Send</SubmitButton>
            </>
          }
        >
          <ComposerText
            label={`Reply to ${title}`}
            placeholder="Write a reply to the customer."
            onFiles={files.add}
            hasImages
            {...fields.getInputProps('message')}
          />
        </ComposerForm>
      </ComposerBox>
    </div>
  )
}

function useBellReply({ id, st_id, organization_id }: UnreadTicket, onClose: () => void) {
  const { send } = useSend(conversation.sendReply, { failure: 'throw' })
  const toSend = (values: ReplyValues) => ({
    ...replyText(values),
    org_id: organization_id,
    last_message_id: id,
  })
  const form: DraftForm<ReplyValues> = useDraftForm({
    name: replyDraft(st_id),
    initial: emptyReply,
    schema: TicketReplyBody,
    saveVerb: 'Send',
    toSend,
    onSave: async (values) => {
      try {
        const reply = await send({ params: { id: st_id }, body: toSend(values) })
        if (!reply) return
        toast.success(reply.data.mail_id === null ? 'Reply saved. No email was sent.' : reply.message)
        form.discardSent(values)
        onClose()
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error
        const message = `${errorMessageOf(error)} Open the ticket to read what’s new. Your reply is there.`
        throw new ApiError(409, { message })
      }
    },
  })
  return form
}
