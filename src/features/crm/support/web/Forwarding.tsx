import { Suspense, useState } from 'react'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import { isRoleId, roles } from '#shared/access.ts'
import { mailStates, mailTones } from '#shared/mails.ts'
import type { TicketMessage } from '#features/crm/support/contract.ts'
import type { TicketForward } from '#features/crm/support/forwards.contract.ts'
import classes from '#features/crm/support/web/forwarding.module.css'
import { ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { session } from '#features/panel/session/contract.ts'
import { Avatar } from '#web/Avatar.tsx'
import { FileList } from '#web/files/FileList.tsx'
import { UndoSend } from '#web/mail/UndoSend.tsx'
import { IconButton } from '#web/parts/controls.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { RichText } from '#web/richtext/RichText.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import type { StreamEntry } from '#web/stream/entries.ts'

const ForwardMessage = lazyPart(() => import('#features/crm/support/web/ForwardMessage.tsx'))
const SentMail = lazyPart(() => import('#web/mail/SentMail.tsx'), 'SentMail')

/** Button on a message that forwards it by email. */
export function ForwardButton({ ticket, message }: { ticket: number; message: TicketMessage }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton bare label={`Forward message from ${message.who}`} onClick={() => setOpen(true)}>
        <IconArrowForwardUp size={16} stroke={1.5} aria-hidden />
      </IconButton>
      {isOpen && (
        <Suspense>
          <ForwardMessage ticket={ticket} message={message} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** @param may whether the viewer can change the ticket */
export const entryOfForward = (forward: TicketForward, may: boolean): StreamEntry => ({
  id: `forward-${forward.id}`,
  kind: 'ours',
  at: forward.created_at,
  who: forward.who,
  role: (
    <>
      <span>{isRoleId(forward.role_id) ? roles[forward.role_id].name : 'Staff'}</span>
      <Tone tone="blue">Forwarded</Tone>
    </>
  ),
  avatar: <Avatar name={forward.who} picture={forward.picture} pictures={session.picture} size={28} />,
  content: <ForwardContent forward={forward} may={may} />,
})

function ForwardContent({ forward, may }: { forward: TicketForward; may: boolean }) {
  const { content, recipients, attachments, mail_id, message_id, undo_seconds } = forward
  const [isShown, setShown] = useState(false)
  return (
    <>
      {content !== '' && <RichText html={content} />}
      <ul className={classes.forwardedTo} aria-label="Forwarded to">
        {recipients.map(({ address, state, error }) => (
          <li key={address}>
            <span>{`To ${address}`}</span> <Tone tone={mailTones[state]}>{mailStates[state]}</Tone>
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
          refresh={ticketQueries}
          label="Forwarding…"
          doneWords="The forwarded message was canceled."
          onUndone={() => {}}
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
