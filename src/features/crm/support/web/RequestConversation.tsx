import IconCornerUpLeft from '@tabler/icons-react/dist/esm/icons/IconCornerUpLeft.mjs'
import type { Ticket } from '#features/crm/support/contract.ts'
import { RequestReplyBody, requests } from '#features/crm/support/requests.contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { entryOfMessage } from '#features/crm/support/web/ticketEntries.tsx'
import { ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Composer } from '#web/composer/Composer.tsx'
import { ComposerForm, SubmitButton } from '#web/composer/ComposerForm.tsx'
import { ComposerText } from '#web/composer/ComposerText.tsx'
import { useAttachments } from '#web/composer/useAttachments.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'
import { Stream } from '#web/stream/Stream.tsx'

const empty = { message: '', file_ids: [] as number[] }

/** The messages of the viewer's own request, and the composer below them, for its page and the inbox. */
export function RequestConversation({ ticket }: { ticket: Ticket }) {
  const may = useMay(requests.reply, { params: { id: ticket.id }, body: empty })
  return (
    <>
      <Stream label="Conversation" entries={ticket.messages.map((message) => entryOfMessage(message))} />
      {may && (
        <div className={classes.write}>
          <Composer
            chosen="reply"
            onChoose={() => {}}
            tabs={[
              {
                id: 'reply',
                label: 'Reply',
                letter: 'r',
                icon: <IconCornerUpLeft size={14} stroke={1.75} aria-hidden />,
                to: 'To support',
                content: <RequestReply ticket={ticket} />,
              },
            ]}
          />
        </div>
      )}
    </>
  )
}

/** Form for adding a message to the viewer's own request. */
function RequestReply({ ticket }: { ticket: Ticket }) {
  const { send } = useSend(requests.reply, {
    refresh: [...ticketQueries, requests.show],
    failure: 'throw',
  })
  const form: DraftForm<typeof empty> = useDraftForm({
    name: `request-reply-${ticket.id}`,
    initial: empty,
    schema: RequestReplyBody,
    saveVerb: 'Send',
    onSave: async (body) => {
      const reply = await send({ params: { id: ticket.id }, body })
      if (!reply) return
      toast.success(reply.message)
      form.discardSent(body)
    },
  })
  const { fields } = form
  const files = useAttachments(form.inner.tell, fields.getValues().file_ids, (ids) =>
    fields.setFieldValue('file_ids', ids),
  )
  return (
    <ComposerForm
      label="Reply"
      form={form}
      files={files}
      acts={
        <>
          {files.button}
          <SubmitButton form={form}>Send</SubmitButton>
        </>
      }
    >
      <ComposerText
        label="Message"
        placeholder="Write to support."
        onFiles={files.add}
        {...fields.getInputProps('message')}
      />
    </ComposerForm>
  )
}
