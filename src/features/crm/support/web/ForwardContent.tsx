import { Suspense, useState } from 'react'
import { mailStates, mailTones, type MailState } from '#shared/mails.ts'
import type { TicketForward } from '#features/crm/support/ticket-forward.contract.ts'
import classes from '#features/crm/support/web/forwarding.module.css'
import { restoreForward } from '#features/crm/support/web/forwardDraft.ts'
import { useIsEmailOn } from '#features/crm/support/web/useTicket.ts'
import { FileList } from '#web/files/FileList.tsx'
import { notSetUp } from '#web/mail/NotSetUp.tsx'
import { UndoSend } from '#web/mail/UndoSend.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { RichText } from '#web/richtext/RichText.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const SentMail = lazyPart(() => import('#web/mail/SentMail.tsx'), 'SentMail')

interface Props {
  forward: TicketForward
  ticket: number
  /** Whether the viewer can change the ticket. */
  may: boolean
}

/** A forwarded message: the text above it, its recipients with their state, and its files. */
export default function ForwardContent({ forward, ticket, may }: Props) {
  const isOn = useIsEmailOn(ticket)
  const { content, recipients, attachments, mail_id, message_id, undo_seconds } = forward
  const [isShown, setShown] = useState(false)
  return (
    <>
      {content !== '' && <RichText html={content} />}
      <ul className={classes.forwardedTo} aria-label="Forwarded to">
        {recipients.map(({ address, state, error }) => (
          <li key={address}>
            <span>{`To ${address}`}</span>{' '}
            {!isOn && (state === 'held' || state === 'waiting') ? (
              <Tone tone="yellow">{notSetUp}</Tone>
            ) : (
              <Tone tone={mailTones[state as MailState]}>{mailStates[state as MailState]}</Tone>
            )}
            {error !== null && <Soft>Mail server response: {error}</Soft>}
          </li>
        ))}
      </ul>
      <FileList files={attachments} label={`Files forwarded by ${forward.who}`} />
      <p className={classes.links}>
        <a href={`#message-${message_id}`}>Original message</a>
        <LinkButton aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide email' : 'Show email'}
        </LinkButton>
      </p>
      {may && undo_seconds !== null && (
        <UndoSend
          mail_ids={[mail_id]}
          seconds={undo_seconds}
          label="Forwarding…"
          doneWords="Forwarding canceled. Your text is kept in its form."
          onUndone={() => restoreForward(forward)}
        />
      )}
      {isShown && (
        <Suspense>
          <SentMail id={mail_id} />
        </Suspense>
      )}
    </>
  )
}
