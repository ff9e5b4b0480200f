import { mailStates, mailTones, type MailState } from '#shared/mails.ts'
import { support, type Ticket, type TicketMessage } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { session } from '#features/panel/session/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { Avatar } from '#web/Avatar.tsx'
import { RowAction } from '#web/list/cells.tsx'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { FileList } from '#web/files/FileList.tsx'
import { Moment } from '#web/Moment.tsx'
import { ForeignHtml } from '#web/richtext/ForeignHtml.tsx'
import { RichText } from '#web/richtext/RichText.tsx'
import { Tone } from '#web/parts/Tone.tsx'

/**
 * A ticket's messages. Staff messages look different from the requester's, and a line marks the first message
 * that the viewer has not seen.
 */
export function Conversation({
  ticket,
  readTo,
  mayResend = false,
}: {
  ticket: Ticket
  readTo?: number | null | undefined
  mayResend?: boolean
}) {
  const firstNew =
    readTo === undefined || readTo === null ? undefined : ticket.messages.find(({ id }) => id > readTo)?.id
  return (
    <section aria-label="Conversation">
      <ol className={classes.messages}>
        {ticket.messages.map((message) => (
          <li key={message.id} id={`message-${message.id}`}>
            {message.id === firstNew && <p className={classes.newLine}>New</p>}
            <Message message={message} {...(mayResend ? { ticket: ticket.id } : {})} />
          </li>
        ))}
      </ol>
    </section>
  )
}

const pictureOf = (address: string | null) => address?.slice(address.lastIndexOf('/') + 1) ?? null
/** Returns whether the email has reached a final state: sent, failed, or stopped. */
const isDone = ({ state }: NonNullable<TicketMessage['mail']>) =>
  state === 'sent' || state === 'failed' || state === 'stopped'

/** @param ticket ID of the ticket, if its replies can be resent */
export function Message({ message, ticket }: { message: TicketMessage; ticket?: number }) {
  const { mail } = message
  return (
    <article className={classes.message} data-admin={message.sent_by_admin || undefined}>
      <p className={classes.byline}>
        <Avatar
          name={message.who}
          picture={pictureOf(message.user_logo)}
          pictures={session.picture}
          size={22}
        />
        <strong>{message.who}</strong> · {message.sent_by_admin ? 'Us' : 'Customer'} ·{' '}
        <Moment at={message.created_at} />{' '}
        {mail && (
          <Tone
            tone={mailTones[mail.state as MailState] ?? 'gray'}
          >{`Email: ${(mailStates[mail.state as MailState] ?? mail.state).toLowerCase()}`}</Tone>
        )}
        {ticket !== undefined && mail && isDone(mail) && <Resend ticket={ticket} message={message} />}
      </p>
      {mail?.error && mail.state !== 'sent' && (
        <p className={classes.soft}>Mail server response: {mail.error}</p>
      )}
      {message.is_foreign ? (
        <ForeignHtml html={message.message} title={`Message from ${message.who}`} />
      ) : (
        <RichText html={message.message} />
      )}
      <FileList files={message.attachments} label={`Attachments from ${message.who}`} />
      {message.refused_files.length > 0 && (
        <div className={classes.soft}>
          <p>Files that came with this email but couldn’t be saved:</p>
          <ul>
            {message.refused_files.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        </div>
      )}
    </article>
  )
}

function Resend({ ticket, message }: { ticket: number; message: TicketMessage }) {
  const { send, sending } = useSend(support.resendReply, {
    refresh: ticketQueries,
    onDone: ({ message: words }) => toast.success(words),
  })
  const isFailed = message.mail?.state !== 'sent'
  const ask = async () => {
    if (isFailed || (await askToProceed('Resend this reply?', { detail: 'It has already been sent.' })))
      await send({ params: { ticket, message: message.id } })
  }
  return (
    <RowAction disabled={sending} onClick={() => void ask()}>
      Resend
    </RowAction>
  )
}
