import { Suspense } from 'react'
import IconMailCheck from '@tabler/icons-react/dist/esm/icons/IconMailCheck.mjs'
import IconMailForward from '@tabler/icons-react/dist/esm/icons/IconMailForward.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { isRoleId, roles } from '#shared/access.ts'
import type { NoteInTimeline } from '#shared/notes.contract.ts'
import { mailStates, mailTones, type MailState } from '#shared/mails.ts'
import type { TicketMessage } from '#features/crm/support/contract.ts'
import type { TicketComment } from '#features/crm/support/ticket-comment.contract.ts'
import { conversation } from '#features/crm/support/conversation.contract.ts'
import { ticketRequester } from '#features/crm/support/requester.contract.ts'
import { savedForLater } from '#web/mail/announceReply.ts'
import { ForwardButton } from '#features/crm/support/web/Forwarding.tsx'
import { NoteActions } from '#features/crm/support/web/NoteActions.tsx'
import { RatingLine } from '#features/crm/support/web/RatingLine.tsx'
import classes from '#features/crm/support/web/support.module.css'
import { useIsEmailOn } from '#features/crm/support/web/useTicket.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Avatar } from '#web/Avatar.tsx'
import { RowAction } from '#web/list/cells.tsx'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { FileList } from '#web/files/FileList.tsx'
import { notSetUp } from '#web/mail/NotSetUp.tsx'
import { SenderChips } from '#web/mail/SenderChips.tsx'
import { IconButton } from '#web/parts/controls.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { RichText } from '#web/richtext/RichText.tsx'
import type { StreamEntry } from '#web/stream/entries.ts'
import { LinkedText } from '#web/stream/LinkedText.tsx'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { viewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { fullTime } from '#web/time.ts'

/** Only emails need it. */
const ForeignHtml = lazyPart(() => import('#web/richtext/ForeignHtml.tsx'), 'ForeignHtml')

export const pictureOf = (address: string | null) => address?.slice(address.lastIndexOf('/') + 1) ?? null

export const messageId = (id: number) => `message-${id}`

/** Returns the ID of the first entry that the viewer has not read; undefined if everything has been read. */
export function firstUnread(messages: readonly TicketMessage[], readTo: number | null): string | undefined {
  const first = messages.find(({ id, sent_by_admin }) => !sent_by_admin && id > (readTo ?? 0))
  return first && messageId(first.id)
}

/** @param ticket ID of the ticket, if its replies can be resent, and its messages forwarded */
export const entryOfMessage = (message: TicketMessage, ticket?: number): StreamEntry => ({
  id: messageId(message.id),
  kind: message.sent_by_admin ? 'ours' : 'theirs',
  at: message.created_at,
  who: message.who,
  role: <Author message={message} />,
  avatar: <Avatar name={message.who} picture={pictureOf(message.user_logo)} size={28} />,
  state: (
    <>
      {message.mail && <MailState mail={message.mail} ticket={ticket} />}
      {message.mail && ticket !== undefined && isDone(message.mail) && (
        <Resend ticket={ticket} message={message} />
      )}
      {ticket !== undefined && message.can_be_requesters && <IsRequester ticket={ticket} message={message} />}
      {ticket !== undefined && <ForwardButton ticket={ticket} message={message} />}
    </>
  ),
  content: <MessageContent message={message} />,
})

/** Who wrote a message: the requester, another sender with their address, or an admin user with their role. */
function Author({ message }: { message: TicketMessage }) {
  const { sender } = message
  return (
    <>
      <AuthorWords message={message} />
      {message.others.length > 0 && (
        <span>{`${message.sent_by_admin ? 'Cc' : 'Also to'} ${message.others.join(', ')}`}</span>
      )}
      {sender && (
        <SenderChips mail={{ verified: sender.verified, state: sender.banned ? 'banned' : 'filed' }} />
      )}
    </>
  )
}

function AuthorWords({
  message: { author, author_role, author_email, recorded_by },
}: {
  message: TicketMessage
}) {
  if (author === 'staff') return <span>{isRoleId(author_role) ? roles[author_role].name : 'Staff'}</span>
  if (author === 'other')
    return (
      <>
        <span>{author_email}</span>
        <Tone tone="orange">Not the requester</Tone>
      </>
    )
  return <span>{recorded_by === null ? 'Requester' : `Requester · recorded by ${recorded_by}`}</span>
}

/** Says that the requester wrote a message, from another address of theirs. */
function IsRequester({ ticket, message: { id, author_email } }: { ticket: number; message: TicketMessage }) {
  const params = { ticket, message: id }
  const { send: undo } = useSend(ticketRequester.setAuthor, {
    onDone: ({ message }) => toast.success(message),
  })
  const onUndo = () => void undo({ params, body: { is_requester: false } })
  const may = useMay(ticketRequester.setAuthor, { params, body: { is_requester: true } })
  const { send, sending } = useSend(ticketRequester.setAuthor, {
    onDone: ({ message }) => toast.success(message, { undo: { label: 'Undo', onUndo } }),
  })
  return (
    may && (
      <RowAction
        disabled={sending}
        title={`Adds ${author_email ?? 'the address'} to the addresses of the requester. Replies go to the one they wrote from last.`}
        onClick={() => void send({ params, body: { is_requester: true } })}
      >
        Is the requester
      </RowAction>
    )
  )
}

type Mail = NonNullable<TicketMessage['mail']>

/** Returns whether the email has reached a final state: sent, failed, or stopped. */
const isDone = ({ state }: Mail) => state === 'sent' || state === 'failed' || state === 'stopped'

/** State of a message's email: an icon as long as nothing is wrong, and the email is on its way. */
function MailState({ mail: { state }, ticket }: { mail: Mail; ticket: number | undefined }) {
  const isOn = useIsEmailOn(ticket)
  const words = `Email: ${(mailStates[state as MailState] ?? state).toLowerCase()}`
  if (!isOn && (state === 'held' || state === 'waiting')) return <Tone tone="yellow">{notSetUp}</Tone>
  if (state !== 'held' && state !== 'sending' && state !== 'sent')
    return <Tone tone={mailTones[state as MailState] ?? 'gray'}>{words}</Tone>
  const Icon = state === 'sent' ? IconMailCheck : IconMailForward
  return (
    <span className={classes.mail} title={words}>
      <Icon size={14} stroke={1.5} aria-hidden />
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  )
}

/** A line of a plain text email that quotes an earlier message, which folds as in other emails. */
const plainQuote = /^(?!.*<img).*(?:<p>|<br \/>)&gt;/s

/** The text of a message; foreign HTML is in a frame. */
export const MessageText = ({ message }: { message: TicketMessage }) =>
  message.is_foreign || (!message.sent_by_admin && plainQuote.test(message.message)) ? (
    <Suspense fallback={<p role="status">Loading…</p>}>
      <ForeignHtml
        html={message.message}
        title={`Message from ${message.who}`}
        images={message.attachments}
        addressOf={ticketByNumber}
      />
    </Suspense>
  ) : (
    <RichText html={message.message} addressOf={ticketByNumber} />
  )

function MessageContent({ message }: { message: TicketMessage }) {
  const { mail } = message
  // An email can have images that its text doesn't show.
  const listed = message.is_foreign
    ? message.attachments
    : message.attachments.filter(({ role }) => role !== 'inline')
  return (
    <>
      <MessageText message={message} />
      <FileList files={listed} label={`Attachments from ${message.who}`} />
      {message.rating && <RatingLine {...message.rating} />}
      {mail?.error && mail.state !== 'sent' && <Soft>Mail server response: {mail.error}</Soft>}
      {message.refused_files.length > 0 && (
        <Soft as="div">
          <p>Files that came with this email but couldn’t be saved:</p>
          <ul>
            {message.refused_files.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        </Soft>
      )}
    </>
  )
}

function Resend({ ticket, message }: { ticket: number; message: TicketMessage }) {
  const isOn = useIsEmailOn(ticket)
  const { send, sending } = useSend(conversation.resendReply, {
    onDone: ({ message: words }) => (isOn ? toast.success(words) : toast.notice(savedForLater)),
  })
  const isFailed = message.mail?.state !== 'sent'
  const ask = async () => {
    if (isFailed || (await askToProceed('Resend this reply?', { detail: 'It has already been sent.' })))
      await send({ params: { ticket, message: message.id } })
  }
  if (isFailed)
    return (
      <RowAction disabled={sending} onClick={() => void ask()}>
        Resend
      </RowAction>
    )
  return (
    <IconButton bare label="Resend" disabled={sending} onClick={() => void ask()}>
      <IconRefresh size={16} stroke={1.5} aria-hidden />
    </IconButton>
  )
}

const ticketByNumber = (id: number) => recordAddress('ticket', id, viewer())

/** @param may whether the viewer can change the ticket, and with it their notes */
export const entryOfComment = (comment: TicketComment, may: boolean): StreamEntry => ({
  id: `comment-${comment.id}`,
  kind: 'note',
  at: comment.created_at,
  who: comment.who,
  role: comment.edited_at !== null && <span title={fullTime(comment.edited_at)}>Edited</span>,
  avatar: <Avatar name={comment.who} picture={null} size={28} />,
  state: may && <NoteActions comment={comment} />,
  content: <CommentContent comment={comment} />,
})

function CommentContent({ comment }: { comment: TicketComment }) {
  const { support_comment, tag_user, message_id, lead_id, attachments } = comment
  const names = tag_user.map(({ name }) => name)
  // Names that the text does not mention, because they were chosen separately.
  const others = names.filter((name) => !support_comment.includes(`@${name}`))
  return (
    <>
      <LinkedText text={support_comment} addressOf={ticketByNumber} people={names} />
      <FileList files={attachments} label={`Attachments from ${comment.who}`} />
      {(others.length > 0 || message_id !== null || lead_id !== null) && (
        <p className={classes.about}>
          {others.length > 0 && <span>{`Tagged ${others.join(', ')}`}</span>}
          {message_id !== null && <a href={`#${messageId(message_id)}`}>About a message</a>}
          {lead_id !== null && <RecordLink type="lead" id={lead_id} name={`Lead ${lead_id}`} />}
        </p>
      )}
    </>
  )
}

/** Returns the entry of a note from the record's history. */
export const entryOfNote = (
  { id, created_at, who, body, attachments }: NoteInTimeline,
  state: StreamEntry['state'],
): StreamEntry => ({
  id: `note-${id}`,
  kind: 'note',
  at: created_at,
  who,
  avatar: <Avatar name={who} picture={null} size={28} />,
  state,
  content: (
    <>
      <LinkedText text={body} addressOf={ticketByNumber} />
      <FileList files={attachments} label={`Attachments from ${who}`} />
    </>
  ),
})
