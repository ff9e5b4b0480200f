import { useState } from 'react'
import type { TicketMessage } from '#features/crm/support/contract.ts'
import { replyDraft } from '#features/crm/support/reply.fields.ts'
import type { ReplyValues } from '#features/crm/support/reply.fields.ts'
import { continueWriting } from '#web/composer/nextComposer.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { type SentReply } from '#features/crm/support/web/sentReply.ts'
import { keepDraft, readDraft } from '#web/form/draft.ts'
import { UndoSend } from '#web/mail/UndoSend.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'

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

/** Button for undoing the reply to another ticket that the user left while its email was held. */
export function UndoReplyTo({ reply: { ticket, mail_id, values, until } }: { reply: SentReply }) {
  const viewer = useViewer()
  const [seconds] = useState(() => Math.floor((until - Date.now()) / 1000))
  const onUndone = () => {
    const typedSince = readDraft(replyDraft(ticket))?.values['message'] ?? ''
    keepDraft(replyDraft(ticket), { ...values, message: `${values.message}${typedSince as string}` }, {})
  }
  return (
    <UndoSend
      mail_ids={[mail_id]}
      seconds={seconds}
      label={`Sending reply to #${ticket}…`}
      doneWords="Reply canceled."
      onUndone={onUndone}
      doneLine={
        <>
          Its text is kept as a draft in{' '}
          <PageLink to={recordAddress('ticket', ticket, viewer)!}>ticket #{ticket}</PageLink>.
        </>
      }
    />
  )
}
