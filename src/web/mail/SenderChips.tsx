import type { ReceivedRow } from '#shared/received-mails.ts'
import { Tone } from '#web/parts/Tone.tsx'

/** Whether the sender of an email is verified, and whether they are banned. */
export const SenderChips = ({
  mail: { verified, state },
}: {
  mail: Pick<ReceivedRow, 'verified' | 'state'>
}) => (
  <>
    <Tone tone={verified ? 'green' : 'yellow'}>{verified ? 'Verified sender' : 'Unverified sender'}</Tone>
    {state === 'banned' && <Tone tone="red">Banned</Tone>}
  </>
)
