import { useQuery } from '@tanstack/react-query'
import { bounceMarks } from '#shared/received-mails.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { MailtoLink } from '#web/mail/MailtoLink.tsx'
import { Tone } from '#web/parts/Tone.tsx'

/** An email address, with a mark if emails to it bounced or its owner complained. */
export function EmailAddress({ address }: { address: string }) {
  const { data } = useQuery(queryOptionsFor(bounceMarks.of, { query: { address } }))
  const mark = data?.data[0]
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
