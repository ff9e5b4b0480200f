import type { TicketMessage } from '#features/crm/support/contract.ts'
import type { ReplyValues } from '#features/crm/support/reply.fields.ts'
import { continueWriting } from '#web/composer/nextComposer.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { forgetSentReply } from '#web/mail/sentReply.ts'
import { UndoSend } from '#web/mail/UndoSend.tsx'

interface UndoReplyProps {
  message: TicketMessage
  form: DraftForm<ReplyValues>
  /** Whether the email is not sent before email is set up. */
  waits: boolean
}

/** Button for undoing the last reply to the ticket, which restores its text in the form. */
export const UndoReply = ({ message, form, waits }: UndoReplyProps) => (
  <UndoSend
    mail_ids={[message.mail!.id]}
    seconds={message.mail!.undo_seconds ?? 0}
    label={waits ? 'Reply saved, but not sent.' : 'Sending reply…'}
    doneWords="Reply canceled. Your text is back in the editor."
    onUndone={() => {
      forgetSentReply(message.mail!.id)
      form.change((typed) => withUndone(typed, message))
      continueWriting('reply')
    }}
  />
)

/**
 * Returns the form's values with an undone reply restored: its text is placed above the current input, and
 * its files and settings are added.
 */
const withUndone = (
  typed: ReplyValues,
  { message, attachments, others, mail }: TicketMessage,
): ReplyValues => ({
  message: message + typed.message,
  file_ids: [
    ...new Set([
      ...attachments.filter(({ role }) => role === 'attachment').map(({ id }) => id),
      ...typed.file_ids,
    ]),
  ],
  cc: [...new Set([...others, ...(typed.cc ?? [])])],
  saved_reply_ids: typed.saved_reply_ids,
  status: typed.status === '' ? String(mail?.sent_with.status ?? '') : typed.status,
  assignee_id: typed.assignee_id,
  add_trello: typed.add_trello || mail?.sent_with.list_id !== undefined,
  customer_feedback: typed.customer_feedback || mail?.sent_with.customer_feedback === true,
})
