import { useEffect, useState } from 'react'
import { Button, Input } from '@mantine/core'
import { mails } from '#shared/mails.ts'
import { support, TicketReplyBody, type Ticket, type TicketMessage } from '#features/crm/support/contract.ts'
import { Message } from '#features/crm/support/web/Conversation.tsx'
import classes from '#features/crm/support/web/support.module.css'
import { ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { ApiError } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { ChoiceField } from '#web/form/inputs.tsx'
import { InnerContext } from '#web/form/inner.ts'
import { useWarnBeforeLeaving } from '#web/form/FormModal.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { toast } from '#web/message/toast.ts'
import { Panel } from '#web/parts/Panel.tsx'

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
  const { form, newer } = useReply(ticket)
  const held = ticket.messages.findLast(({ mail }) => mail !== null && mail.undo_seconds !== null)
  return (
    <Panel dense aria-label="Reply">
      <h2>Reply</h2>
      {newer.length > 0 && (
        <div className={classes.warning} role="alert">
          <strong>{wordsOfNewer(newer)}</strong>
          {newer.map((message) => (
            <Message key={message.id} message={message} />
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
      <ReplyFields form={form} ticket={ticket} submitLabel={newer.length > 0 ? 'Send anyway' : 'Send'} />
    </Panel>
  )
}

type Values = typeof empty

/** The form's state, and the messages that arrived while the reply was written. */
function useReply(ticket: Ticket) {
  const [seen, setSeen] = useState(ticket.messages.at(-1)?.id ?? 0)
  const [newer, setNewer] = useState<readonly TicketMessage[]>([])
  const { send } = useSend(support.sendReply, { refresh: ticketQueries, failure: 'throw' })
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
  useWarnBeforeLeaving(form)
  // Messages on the page when it opens count as seen, as do messages that arrive while the form is still
  // untouched.
  const last = ticket.messages.at(-1)?.id ?? 0
  if (!form.isDirty && last > seen) setSeen(last)
  return { form, newer }
}

function ReplyFields({
  form,
  ticket,
  submitLabel,
}: {
  form: DraftForm<Values>
  ticket: Ticket
  submitLabel: string
}) {
  const { ticket_statuses } = useLists('ticket_statuses')
  return (
    <form {...form.formProps} className={classes.form} aria-label="Reply">
      <RichTextField label="Message" required sendPicture={null} {...form.fields.getInputProps('message')} />
      <InnerContext value={form.inner.tell}>
        <FilesField label="Attachments" {...form.fields.getInputProps('file_ids')} />
      </InnerContext>
      <ChoiceField
        form={form.fields}
        name="status"
        label="Status after sending"
        options={asChoices(ticket_statuses, 'Keep current status')}
      />
      <label className={classes.check}>
        <input type="checkbox" {...form.fields.getInputProps('customer_feedback', { type: 'checkbox' })} />{' '}
        Feedback requested
      </label>
      {ticket.card_id === 0 && (
        <label className={classes.check}>
          <input type="checkbox" {...form.fields.getInputProps('add_trello', { type: 'checkbox' })} /> Add a
          card to the board
        </label>
      )}
      {form.failure && <Input.Error role="alert">{form.failure}</Input.Error>}
      <div className={classes.buttons}>
        <Button
          type="submit"
          size="xs"
          loading={form.saving}
          disabled={form.saveBlockedReason !== undefined}
          title="Ctrl+Enter"
        >
          {submitLabel}
        </Button>
        {ticket.requester_email === null && (
          <span className={classes.soft}>
            No email will be sent because the requester has no email address.
          </span>
        )}
      </div>
    </form>
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
    <p className={classes.buttons} role="status">
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
