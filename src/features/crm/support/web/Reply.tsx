import { Suspense, useRef, useState } from 'react'
import type { Ticket, TicketMessage } from '#features/crm/support/contract.ts'
import { conversation, TicketReplyBody } from '#features/crm/support/conversation.contract.ts'
import {
  emptyReply,
  replyDraft,
  replyText,
  sentTo,
  type ReplyValues,
} from '#features/crm/support/reply.fields.ts'
import classes from '#features/crm/support/web/support.module.css'
import { entryOfMessage, messageId } from '#features/crm/support/web/ticketEntries.tsx'
import { ReplyCc } from '#features/crm/support/web/ReplyCc.tsx'
import {
  SendMenu,
  unassigned,
  useNextAfterReply,
  useStatusKeys,
  type NextAfterReply,
  type SendWith,
} from '#features/crm/support/web/SendMenu.tsx'
import { useSavedReplies } from '#features/crm/support/web/saved-replies/useSavedReplies.tsx'
import { sentElsewhere } from '#features/crm/support/web/sentReply.ts'
import { useIsEmailOn, useReplySender, useReplyTakes } from '#features/crm/support/web/useTicket.ts'
import { ApiError } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerForm } from '#web/composer/ComposerForm.tsx'
import { ComposerText } from '#web/composer/ComposerText.tsx'
import { SplitButton } from '#web/composer/SplitButton.tsx'
import { useAttachments } from '#web/composer/useAttachments.tsx'
import { useLists } from '#web/filter/useOptions.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { announceReply } from '#web/mail/announceReply.ts'
import { BouncedWarning } from '#web/mail/BouncedWarning.tsx'
import { WillWait } from '#web/mail/NotSetUp.tsx'
import { noteSentReply } from '#web/mail/sentReply.ts'
import { ReplySender } from '#web/mail/ReplySender.tsx'
import { askToDiscard } from '#web/message/messages.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { pendingSteps } from '#web/record/pendingSteps.ts'
import { Entry } from '#web/stream/Entry.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** Needed only after a reply was sent. */
const UndoReply = lazyPart(() => import('#features/crm/support/web/afterSend.tsx'), 'UndoReply')
const UndoSentReply = lazyPart(() => import('#web/mail/UndoSentReply.tsx'))

/**
 * Form for replying to a ticket. If the customer has sent a message in the meantime, it is shown before the
 * reply is sent, and the input is kept.
 */
export function ReplyForm({ ticket }: { ticket: Ticket }) {
  const next = useNextAfterReply()
  const isEmailOn = useIsEmailOn(ticket.id)
  const { form, newer, sendWith } = useReply(ticket, next.opensNext)
  const [elsewhere] = useState(() => sentElsewhere(ticket.id))
  const held = ticket.messages.findLast(({ mail }) => mail !== null && mail.undo_seconds !== null)
  return (
    <>
      {newer.length > 0 && (
        <NewerMessages messages={newer} shown={ticket.messages} onDiscard={form.discard} />
      )}
      <Suspense>
        {elsewhere && <UndoSentReply reply={elsewhere} />}
        {held && <UndoReply key={held.id} message={held} form={form} waits={!isEmailOn} />}
      </Suspense>
      <ReplyFields
        form={form}
        ticket={ticket}
        submitLabel={newer.length > 0 ? 'Send anyway' : next.opensNext ? 'Send and next' : 'Send'}
        next={next}
        sendWith={sendWith}
      />
    </>
  )
}

/**
 * The form's state, and the messages that arrived while the reply was written.
 * @param opensNext whether the next ticket opens when a reply was sent
 */
function useReply(ticket: Ticket, opensNext: boolean) {
  const [seen, setSeen] = useState(ticket.messages.at(-1)?.id ?? 0)
  const [newer, setNewer] = useState<readonly TicketMessage[]>([])
  const isNext = useRef<boolean>(undefined)
  const isEmailOn = useIsEmailOn(ticket.id)
  const takes = useReplyTakes(ticket)
  const { send } = useSend(conversation.sendReply, { failure: 'throw' })
  const toSend = (values: ReplyValues) => ({
    ...replyText(values),
    ...(ticket.requester_email === null ? {} : { cc: values.cc ?? ticket.reply_cc }),
    ...(values.status === '' ? {} : { status: Number(values.status) }),
    // A ticket that someone took in the meantime stays theirs.
    ...(values.assignee_id === '' || (values.assignee_id === unassigned && !takes)
      ? {}
      : { assignee_id: Number(values.assignee_id) }),
    ...(values.customer_feedback ? { customer_feedback: 1 as const } : {}),
    ...(values.add_trello ? { card_id: ticket.card_id, add_trello: 1 as const } : {}),
    org_id: ticket.org_id,
    last_message_id: seen,
  })
  const form: DraftForm<ReplyValues> = useDraftForm({
    name: replyDraft(ticket.id),
    initial: emptyReply,
    schema: TicketReplyBody,
    saveVerb: 'Send',
    toSend,
    onSave: async (values) => {
      try {
        const reply = await send({ params: { id: ticket.id }, body: toSend(values) })
        if (!reply) return
        announceReply(reply, isEmailOn)
        form.discardSent(values)
        const { mail_id, undo_seconds } = reply.data
        if (mail_id !== null) noteSentReply({ ...sentTo(ticket.id), mail_id, values }, undo_seconds)
        setNewer([])
        setSeen(reply.data.message_id)
        if (isNext.current ?? opensNext) pendingSteps.add(ticket.id, 1)
      } catch (error) {
        const current =
          error instanceof ApiError && error.status === 409
            ? (error.current as { newer?: TicketMessage[] } | undefined)
            : undefined
        if (!current?.newer?.length) throw error
        setNewer(current.newer)
        setSeen(current.newer.at(-1)!.id)
        // Without a message in the form, because the messages are shown above it.
        throw new ApiError(409, { message: wordsOfNewer(current.newer), errors: {} })
      }
    },
  })
  // Messages on the page when it opens count as seen, as do messages that arrive while the form is still
  // untouched.
  const last = ticket.messages.at(-1)?.id ?? 0
  if (!form.isDirty && last > seen) setSeen(last)
  if (!form.isDirty && newer.length > 0) setNewer([])
  const sendWith = ({ status, isNext: next }: SendWith) => {
    if (status !== undefined) form.fields.setFieldValue('status', String(status))
    isNext.current = next
    void form.submit().finally(() => {
      isNext.current = undefined
    })
  }
  return { form, newer, sendWith }
}

interface FieldsProps {
  form: DraftForm<ReplyValues>
  ticket: Ticket
  submitLabel: string
  next: NextAfterReply
  sendWith: (how: SendWith) => void
}

function ReplyFields({ form, ticket, submitLabel, next, sendWith }: FieldsProps) {
  const { fields } = form
  const files = useAttachments(form.inner.tell, fields.getValues().file_ids, (ids) =>
    fields.setFieldValue('file_ids', ids),
  )
  const saved = useSavedReplies(ticket, fields)
  const [hasCc, setHasCc] = useState(false)
  const isEmailOn = useIsEmailOn(ticket.id)
  const sender = useReplySender(ticket)
  const onKeyDown = useStatusKeys(sendWith)
  return (
    <div onKeyDown={onKeyDown}>
      <ComposerForm
        label="Reply"
        form={form}
        files={files}
        writing={{ type: 'ticket', id: ticket.id, what: 'reply' }}
        options={
          <>
            {sender && <ReplySender sender={sender} message={fields.getValues().message} />}
            <ReplyCc ticket={ticket} fields={fields} isOpened={hasCc} />
            {ticket.requester_email === null && (
              <Soft as="div">
                {`No email will be sent because the requester ${ticket.requester_banned ? 'is banned' : 'has no email address'}.`}
              </Soft>
            )}
            {ticket.requester_email !== null && <BouncedWarning address={ticket.requester_email} />}
            {ticket.requester_email !== null && !isEmailOn && <WillWait what="your reply" />}
            <SentAlong form={form} ticket={ticket} />
          </>
        }
        acts={
          <>
            {files.button}
            {saved.button}
            {ticket.requester_email !== null &&
              !hasCc &&
              (fields.getValues().cc ?? ticket.reply_cc).length === 0 && (
                <LinkButton onClick={() => setHasCc(true)}>Cc</LinkButton>
              )}
            <SplitButton
              label={submitLabel}
              menuLabel="More ways to send"
              loading={form.saving}
              disabled={form.saveBlockedReason !== undefined}
              title={form.saveBlockedReason ?? 'Ctrl+Enter'}
            >
              <SendMenu form={form} ticket={ticket} next={next} sendWith={sendWith} />
            </SplitButton>
          </>
        }
      >
        <ComposerText
          label="Message"
          placeholder="Write a reply. Type / for a saved reply."
          onFiles={files.add}
          hasImages
          slashMenu={saved.menu}
          insertRef={saved.insert}
          {...fields.getInputProps('message')}
        />
      </ComposerForm>
    </div>
  )
}

/** The changes that the reply makes to the ticket when it is sent, each with a button to leave it out. */
function SentAlong({ form: { fields, isDirty }, ticket }: Pick<FieldsProps, 'form' | 'ticket'>) {
  const takes = useReplyTakes(ticket)
  const { ticket_statuses } = useLists('ticket_statuses')
  const { status, customer_feedback, assignee_id, add_trello } = fields.getValues()
  const name = ticket_statuses.find(({ id }) => String(id) === status)?.name ?? status
  const along = [
    {
      is: status !== '',
      words: `Sets the status to ${name}.`,
      not: 'Keep the status',
      field: 'status',
      off: '',
    },
    {
      is: customer_feedback,
      words: 'Requests feedback.',
      not: 'Don’t request feedback',
      field: 'customer_feedback',
      off: false,
    },
    {
      is: takes && isDirty && assignee_id !== unassigned,
      words: 'Assigns the ticket to you.',
      not: 'Leave it unassigned',
      field: 'assignee_id',
      off: unassigned,
    },
    {
      is: takes && assignee_id === unassigned,
      words: 'Leaves the ticket unassigned.',
      not: 'Assign it to me',
      field: 'assignee_id',
      off: '',
    },
    {
      is: !takes && assignee_id !== '' && assignee_id !== unassigned,
      words: 'Assigns the ticket to you.',
      not: 'Keep the assignee',
      field: 'assignee_id',
      off: '',
    },
    {
      is: add_trello,
      words: 'Adds a card to the board.',
      not: 'Don’t add a card',
      field: 'add_trello',
      off: false,
    },
  ] as const
  return along
    .filter(({ is }) => is)
    .map(({ words, not, field, off }) => (
      <Soft key={words} as="div">
        {words} <LinkButton onClick={() => fields.setFieldValue(field, off)}>{not}</LinkButton>
      </Soft>
    ))
}

interface NewerProps {
  messages: readonly TicketMessage[]
  /** The messages that the conversation shows. */
  shown: readonly TicketMessage[]
  onDiscard: () => void
}

/**
 * Messages that arrived while a reply was written, to be read before it is sent. To those that the
 * conversation shows, a button leads.
 */
export function NewerMessages({ messages, shown, onDiscard }: NewerProps) {
  const isShown = ({ id }: TicketMessage) => shown.some((one) => one.id === id)
  const linked = messages.find(isShown)
  const discard = async () => {
    if (await askToDiscard()) onDiscard()
  }
  return (
    <div className={classes.warning} role="alert">
      <strong>{wordsOfNewer(messages)}</strong>
      <span className={classes.buttons}>
        Read what’s new, then edit or send your reply.
        {linked && <LinkButton onClick={() => goTo(linked)}>Go to message</LinkButton>}
        <LinkButton onClick={() => void discard()}>Discard reply</LinkButton>
      </span>
      {messages
        .filter((message) => !isShown(message))
        .map((message) => (
          <Entry key={message.id} entry={entryOfMessage(message)} />
        ))}
    </div>
  )
}

// Not by an address, whose change would ask about the unsaved reply.
const goTo = ({ id }: TicketMessage) =>
  document.getElementById(messageId(id))?.scrollIntoView({ block: 'center' })

const wordsOfNewer = (newer: readonly TicketMessage[]) =>
  newer.length === 1
    ? `${newer[0]!.who} sent a message while you were writing.`
    : `${newer.length} messages arrived while you were writing.`
