import { useState } from 'react'
import IconCornerUpLeft from '@tabler/icons-react/dist/esm/icons/IconCornerUpLeft.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import type { Ticket } from '#features/crm/support/contract.ts'
import { replyDraft } from '#features/crm/support/reply.fields.ts'
import { noteDraft } from '#features/crm/support/web/sentReply.ts'
import { Composer } from '#web/composer/Composer.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

/** The forms load after the conversation, which is shown without waiting for them. */
const ReplyForm = lazyPart(() => import('#features/crm/support/web/Reply.tsx'), 'ReplyForm')
const NoteForm = lazyPart(() => import('#features/crm/support/web/NoteForm.tsx'), 'NoteForm')

interface Props {
  ticket: Ticket
  /** Words of the line that it starts as; without them, it starts open. */
  line: string | undefined
}

/** Box for answering a ticket, or for writing an internal note about it. */
export function TicketComposer({ ticket, line }: Props) {
  const [tab, setTab] = useState('reply')
  return (
    <Composer
      line={line}
      chosen={tab}
      onChoose={setTab}
      tabs={[
        {
          id: 'reply',
          label: 'Reply',
          letter: 'r',
          icon: <IconCornerUpLeft size={14} stroke={1.75} aria-hidden />,
          draft: replyDraft(ticket.id),
          to: ticket.requester_email === null ? 'No email' : `To ${ticket.requester_email}`,
          content: <ReplyForm ticket={ticket} />,
        },
        {
          id: 'note',
          label: 'Internal note',
          letter: 'n',
          isInternal: true,
          draft: noteDraft(ticket.id),
          icon: <IconLock size={14} stroke={1.75} aria-hidden />,
          content: <NoteForm ticket={ticket} />,
        },
      ]}
    />
  )
}
