import { mailStates, mailTones, type MailState } from '#shared/mails.ts'
import type { Ticket, TicketMessage } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { FileList } from '#web/files/FileList.tsx'
import { Moment } from '#web/Moment.tsx'
import { ForeignHtml } from '#web/richtext/ForeignHtml.tsx'
import { RichText } from '#web/richtext/RichText.tsx'
import { Tone } from '#web/shell/Tone.tsx'

/** The messages of a ticket, ours and theirs told apart, with a line above what the reader has not seen. */
export function Conversation({ ticket, readTo }: { ticket: Ticket; readTo?: number | null | undefined }) {
  const firstNew = readTo === undefined || readTo === null ? undefined : ticket.messages.find(({ id }) => id > readTo)?.id
  return (
    <section aria-label="Conversation">
      <ol className={classes.messages}>
        {ticket.messages.map((message) => (
          <li key={message.id} id={`message-${message.id}`}>
            {message.id === firstNew && <p className={classes.newLine}>New</p>}
            <Message message={message} />
          </li>
        ))}
      </ol>
    </section>
  )
}

export function Message({ message }: { message: TicketMessage }) {
  const { mail } = message
  return (
    <article className={classes.message} data-admin={message.sent_by_admin || undefined} data-off={mail?.called_off || undefined}>
      <p className={classes.byline}>
        <strong>{message.who}</strong> · {message.sent_by_admin ? 'Us' : 'Customer'} · <Moment at={message.created_at} />{' '}
        {mail &&
          (mail.called_off ? (
            <Tone tone="gray">Called back</Tone>
          ) : (
            <Tone tone={mailTones[mail.state as MailState] ?? 'gray'}>{`Mail: ${(mailStates[mail.state as MailState] ?? mail.state).toLowerCase()}`}</Tone>
          ))}
      </p>
      {message.is_foreign ? <ForeignHtml html={message.message} title={`Message of ${message.who}`} /> : <RichText html={message.message} />}
      <FileList files={message.attachments} label={`Attachments of ${message.who}`} />
    </article>
  )
}
