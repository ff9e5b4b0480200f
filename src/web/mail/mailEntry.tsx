import { Suspense, useState } from 'react'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import { mailStates, mailTones, type MailRow } from '#shared/mails.ts'
import classes from '#web/mail/mail.module.css'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import type { TimelineEntry } from '#web/record/Timeline.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { countText } from '#web/time.ts'

const SentMail = lazyPart(() => import('#web/mail/SentMail.tsx'), 'SentMail')

/** Returns an email as an entry of its record's timeline. It opens and shows what was sent. */
export const entryOfMail = (mail: MailRow): TimelineEntry => ({
  id: `mail-${mail.id}`,
  kind: 'Emails',
  at: mail.created_at,
  ...(mail.who ? { who: mail.who } : {}),
  icon: <IconMail size={14} stroke={1.5} aria-hidden />,
  content: <MailLine mail={mail} />,
})

function MailLine({ mail }: { mail: MailRow }) {
  const [isOpen, setOpen] = useState(false)
  const { total, sent } = mail.progress
  const only = total === 1 ? mail.recipients[0] : undefined
  return (
    <>
      {sent > 0 ? 'sent' : 'wrote'} <b className={classes.subject}>{mail.subject}</b> to{' '}
      {only?.address ?? `${countText(total)} people`} <MailState mail={mail} />{' '}
      <LinkButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide email' : 'Show email'}
      </LinkButton>
      {isOpen && (
        <Suspense>
          <SentMail id={mail.id} />
        </Suspense>
      )}
    </>
  )
}

/** State of an email, if it is the same for everyone; otherwise, to how many people it was sent and failed. */
function MailState({ mail: { progress, recipients } }: { mail: MailRow }) {
  const { total, sent, failed } = progress
  const states = new Set(recipients.map(({ state }) => state))
  const [state] = total === recipients.length && states.size === 1 ? states : []
  if (state !== undefined) return <Tone tone={mailTones[state]}>{mailStates[state]}</Tone>
  return (
    <>
      <Tone tone={sent === total ? 'green' : 'gray'}>{`${countText(sent)} of ${countText(total)} sent`}</Tone>
      {failed > 0 && <Tone tone="red">{`${countText(failed)} failed`}</Tone>}
    </>
  )
}
