import { useBounceMark } from '#web/mail/bounceMark.ts'
import { MailtoLink } from '#web/mail/MailtoLink.tsx'
import { Tone } from '#web/parts/Tone.tsx'

/** An email address, with a mark if emails to it bounced or its owner complained. */
export function EmailAddress({ address }: { address: string }) {
  const mark = useBounceMark(address)
  return (
    <>
      <MailtoLink address={address} />
      {mark && (
        <span title={mark.error}>
          {' '}
          <Tone tone="red">{mark.kind === 'complaint' && !mark.marked ? 'Complained' : 'Bounced'}</Tone>
        </span>
      )}
    </>
  )
}
