import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { tickets, type ReplySender as Sender, type Ticket } from '#features/crm/support/contract.ts'
import { conversation, TicketReplyBody } from '#features/crm/support/conversation.contract.ts'
import {
  emptyReply,
  replyDraft,
  replyText,
  sentTo,
  type ReplyValues,
} from '#features/crm/support/reply.fields.ts'
import type { UnreadTicket } from '#features/panel/bell/web/bellActs.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerBox } from '#web/composer/ComposerBox.tsx'
import { ComposerForm, SubmitButton } from '#web/composer/ComposerForm.tsx'
import { ComposerText } from '#web/composer/ComposerText.tsx'
import { useAttachments } from '#web/composer/useAttachments.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { Loaded, LoadingState } from '#web/list/states.tsx'
import { announceReply } from '#web/mail/announceReply.ts'
import { WillWait } from '#web/mail/NotSetUp.tsx'
import { ReplySender } from '#web/mail/ReplySender.tsx'
import { noteSentReply } from '#web/mail/sentReply.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { Soft } from '#web/parts/Soft.tsx'

interface Props {
  ticket: UnreadTicket
  onClose: () => void
  /** Called when the reply was sent, which can be undone for a while. */
  onSent: () => void
}

/** Composer of a reply to a ticket, in its row; it has the same draft as the ticket's page. */
export default function BellReply(props: Props) {
  const query = useQuery(queryOptionsFor(tickets.show, { params: { id: props.ticket.st_id } }))
  return (
    <Loaded query={query} what="The ticket" skeleton={<LoadingState rows={2} />}>
      {({ data, is_on, sender }) => (
        <ReplyForm
          {...props}
          recipients={data}
          isEmailOn={is_on}
          sender={data.requester_email === null ? null : sender}
        />
      )}
    </Loaded>
  )
}

type Recipients = Pick<Ticket, 'requester_email' | 'reply_cc'>

interface FormProps extends Props {
  recipients: Recipients
  isEmailOn: boolean
  sender: Sender | null
}

function ReplyForm({ sender, ...props }: FormProps) {
  const { ticket, onClose, recipients, isEmailOn } = props
  const { title } = ticket
  const box = useRef<HTMLElement>(null)
  const form = useBellReply(props)
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
          options={
            <>
              {sender && <ReplySender sender={sender} message={fields.getValues().message} />}
              <Soft as="div">{wordsOf(recipients)}</Soft>
              {recipients.requester_email !== null && !isEmailOn && <WillWait what="your reply" />}
            </>
          }
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

/** Who gets the reply. */
const wordsOf = ({ requester_email, reply_cc }: Recipients): string =>
  requester_email === null
    ? 'No email will be sent.'
    : [`To ${requester_email}`, ...(reply_cc.length > 0 ? [`Cc ${reply_cc.join(', ')}`] : [])].join(' · ')

function useBellReply({ ticket, onClose, onSent, recipients, isEmailOn }: Omit<FormProps, 'sender'>) {
  const { id, st_id, organization_id } = ticket
  const { requester_email, reply_cc } = recipients
  const { send } = useSend(conversation.sendReply, { failure: 'throw' })
  const toSend = (values: ReplyValues) => ({
    ...replyText(values),
    ...(requester_email === null ? {} : { cc: reply_cc }),
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
        announceReply(reply, isEmailOn)
        form.discardSent(values)
        const { mail_id, undo_seconds } = reply.data
        if (mail_id !== null) noteSentReply({ ...sentTo(st_id), mail_id, values }, undo_seconds)
        onSent()
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
