import { useEffect, useRef, useState } from 'react'
import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { mails } from '#shared/mails.ts'
import type { Ticket, TicketMessage } from '#features/crm/support/contract.ts'
import { conversation, TicketReplyBody } from '#features/crm/support/conversation.contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { entryOfMessage } from '#features/crm/support/web/ticketEntries.tsx'
import { ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { ApiError } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerForm } from '#web/composer/ComposerForm.tsx'
import { ComposerText } from '#web/composer/ComposerText.tsx'
import { SplitButton } from '#web/composer/SplitButton.tsx'
import { useAttachments } from '#web/composer/useAttachments.tsx'
import { useLists } from '#web/filter/useOptions.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { MenuItem, MenuLine } from '#web/parts/Menu.tsx'
import { pendingSteps } from '#web/record/pendingSteps.ts'
import { Entry } from '#web/stream/Entry.tsx'

const empty = {
  message: '',
  file_ids: [] as number[],
  status: '',
  add_trello: false,
  customer_feedback: false,
}

/**
 * Form for replying to a ticket. If the customer has sent a message in the meantime, it is shown before the
 * reply is sent, and the input is kept.
 */
export function ReplyForm({ ticket }: { ticket: Ticket }) {
  const { form, newer, sendWith } = useReply(ticket)
  const held = ticket.messages.findLast(({ mail }) => mail !== null && mail.undo_seconds !== null)
  return (
    <>
      {newer.length > 0 && (
        <div className={classes.warning} role="alert">
          <strong>{wordsOfNewer(newer)}</strong>
          {newer.map((message) => (
            <Entry key={message.id} entry={{ ...entryOfMessage(message), id: `newer-${message.id}` }} />
          ))}
        </div>
      )}
      {held && (
        <UndoSend
          key={held.id}
          mail={held.mail!}
          onUndone={() => form.fields.setValues(withUndone(form.fields.getValues(), held))}
        />
      )}
      <ReplyFields
        form={form}
        ticket={ticket}
        submitLabel={newer.length > 0 ? 'Send anyway' : 'Send'}
        sendWith={sendWith}
      />
    </>
  )
}

type Values = typeof empty

/** The form's state, and the messages that arrived while the reply was written. */
function useReply(ticket: Ticket) {
  const [seen, setSeen] = useState(ticket.messages.at(-1)?.id ?? 0)
  const [newer, setNewer] = useState<readonly TicketMessage[]>([])
  const isNext = useRef(false)
  const { send } = useSend(conversation.sendReply, { refresh: ticketQueries, failure: 'throw' })
  const toSend = (values: Values) => ({
    message: values.message,
    file_ids: values.file_ids,
    ...(values.status === '' ? {} : { status: Number(values.status) }),
    ...(values.customer_feedback ? { customer_feedback: 1 as const } : {}),
    ...(values.add_trello ? { card_id: ticket.card_id, add_trello: 1 as const } : {}),
    org_id: ticket.org_id,
    last_message_id: seen,
  })
  const form: DraftForm<Values> = useDraftForm({
    name: `ticket-reply-${ticket.id}`,
    initial: empty,
    schema: TicketReplyBody,
    toSend,
    onSave: async (values) => {
      try {
        const reply = await send({ params: { id: ticket.id }, body: toSend(values) })
        if (!reply) return
        toast.success(reply.message)
        form.discard()
        setNewer([])
        setSeen(reply.data.message_id)
        if (isNext.current) pendingSteps.add(ticket.id, 1)
      } catch (error) {
        const current =
          error instanceof ApiError && error.status === 409
            ? (error.current as { newer?: TicketMessage[] } | undefined)
            : undefined
        if (!current?.newer?.length) throw error
        setNewer(current.newer)
        setSeen(current.newer.at(-1)!.id)
        throw new ApiError(409, {
          message: `${wordsOfNewer(current.newer)} Read what’s new above, then edit or send your reply.`,
        })
      }
    },
  })
  // Messages on the page when it opens count as seen, as do messages that arrive while the form is still
  // untouched.
  const last = ticket.messages.at(-1)?.id ?? 0
  if (!form.isDirty && last > seen) setSeen(last)
  const sendWith: FieldsProps['sendWith'] = ({ status, isNext: next }) => {
    if (status !== undefined) form.fields.setFieldValue('status', String(status))
    isNext.current = next === true
    void form.submit().finally(() => {
      isNext.current = false
    })
  }
  return { form, newer, sendWith }
}

interface FieldsProps {
  form: DraftForm<Values>
  ticket: Ticket
  submitLabel: string
  /** Sends the reply, and sets the status or opens the next ticket of the list. */
  sendWith: (how: { status?: number; isNext?: boolean }) => void
}

function ReplyFields({ form, ticket, submitLabel, sendWith }: FieldsProps) {
  const { fields } = form
  const { status } = fields.getValues()
  const { ticket_statuses } = useLists('ticket_statuses')
  const files = useAttachments(fields.getValues().file_ids, (ids) => fields.setFieldValue('file_ids', ids))
  return (
    <ComposerForm
      label="Reply"
      form={form}
      files={files.list}
      acts={
        <>
          {ticket.requester_email === null && (
            <span className={classes.soft}>
              No email will be sent because the requester has no email address.
            </span>
          )}
          {status !== '' && (
            <span className={classes.soft}>
              {`Sets the status to ${ticket_statuses.find(({ id }) => String(id) === status)?.name ?? status}.`}{' '}
              <LinkButton onClick={() => fields.setFieldValue('status', '')}>Keep the status</LinkButton>
            </span>
          )}
          {files.button}
          <SplitButton
            label={submitLabel}
            menuLabel="More ways to send"
            loading={form.saving}
            disabled={form.saveBlockedReason !== undefined}
            title="Ctrl+Enter"
          >
            <SendMenu form={form} ticket={ticket} sendWith={sendWith} />
          </SplitButton>
        </>
      }
    >
      <ComposerText
        label="Message"
        placeholder="Write a reply."
        onFiles={files.add}
        {...fields.getInputProps('message')}
      />
    </ComposerForm>
  )
}

/** Other ways to send: with a status, with a request for feedback, or with a card on the board. */
function SendMenu({ form: { fields }, ticket, sendWith }: Omit<FieldsProps, 'submitLabel'>) {
  const { ticket_statuses } = useLists('ticket_statuses')
  const { listPosition } = useLocation({ select: ({ state }) => state })
  const { customer_feedback, add_trello } = fields.getValues()
  return (
    <>
      {listPosition && <MenuItem onClick={() => sendWith({ isNext: true })}>Send and next</MenuItem>}
      {ticket_statuses
        .filter(({ id }) => id !== ticket.status)
        .map(({ id, name }) => (
          <MenuItem key={id} onClick={() => sendWith({ status: id })}>
            {`Send and set ${name}`}
          </MenuItem>
        ))}
      <MenuLine />
      <MenuItem
        checked={customer_feedback}
        mark={customer_feedback && <IconCheck size={14} aria-hidden />}
        onClick={() => fields.setFieldValue('customer_feedback', !customer_feedback)}
      >
        Request feedback
      </MenuItem>
      {ticket.card_id === 0 && (
        <MenuItem
          checked={add_trello}
          mark={add_trello && <IconCheck size={14} aria-hidden />}
          onClick={() => fields.setFieldValue('add_trello', !add_trello)}
        >
          Add a card to the board
        </MenuItem>
      )}
    </>
  )
}

const wordsOfNewer = (newer: readonly TicketMessage[]) =>
  newer.length === 1
    ? `${newer[0]!.who} sent a message while you were writing.`
    : `${newer.length} messages arrived while you were writing.`

/**
 * Returns the form's values with an undone reply restored: its text is placed above the current input, and
 * its files and settings are added.
 */
const withUndone = (typed: typeof empty, { message, attachments, mail }: TicketMessage): typeof empty => ({
  message: message + typed.message,
  file_ids: [
    ...new Set([
      ...attachments.filter(({ role }) => role === 'attachment').map(({ id }) => id),
      ...typed.file_ids,
    ]),
  ],
  status: typed.status === '' ? String(mail?.sent_with.status ?? '') : typed.status,
  add_trello: typed.add_trello || mail?.sent_with.list_id !== undefined,
  customer_feedback: typed.customer_feedback || mail?.sent_with.customer_feedback === true,
})

/** Button for undoing the sending of a reply while its email is held. */
function UndoSend({ mail, onUndone }: { mail: NonNullable<TicketMessage['mail']>; onUndone: () => void }) {
  // Leave out the last second, so that the request arrives before the email is sent.
  const [left, setLeft] = useState((mail.undo_seconds ?? 0) - 1)
  const { send, sending } = useSend(mails.callOff, {
    refresh: ticketQueries,
    onDone: () => {
      toast.success('Reply canceled. Your text is back in the editor.')
      onUndone()
    },
  })
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  if (left <= 0) return null
  return (
    <p className={classes.held} role="status">
      Sending reply…{' '}
      <Button
        size="compact-xs"
        variant="default"
        loading={sending}
        onClick={() => void send({ params: { id: mail.id } })}
      >
        Undo send
      </Button>
    </p>
  )
}
