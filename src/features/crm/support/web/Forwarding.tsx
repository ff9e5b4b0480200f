import { Suspense, useState } from 'react'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import type { TicketMessage } from '#features/crm/support/contract.ts'
import type { TicketForward } from '#features/crm/support/ticket-forward.contract.ts'
import { Avatar } from '#web/Avatar.tsx'
import { IconButton } from '#web/parts/controls.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import type { StreamEntry } from '#web/stream/entries.ts'

const ForwardMessage = lazyPart(() => import('#features/crm/support/web/ForwardMessage.tsx'))
const ForwardContent = lazyPart(() => import('#features/crm/support/web/ForwardContent.tsx'))

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
export const entryOfForward = (forward: TicketForward, ticket: number, may: boolean): StreamEntry => ({
  id: `forward-${forward.id}`,
  kind: 'ours',
  at: forward.created_at,
  who: forward.who,
  role: <Tone tone="blue">Forwarded</Tone>,
  avatar: <Avatar name={forward.who} picture={forward.picture} size={28} />,
  content: (
    <Suspense>
      <ForwardContent forward={forward} ticket={ticket} may={may} />
    </Suspense>
  ),
})
