import IconCornerUpLeft from '@tabler/icons-react/dist/esm/icons/IconCornerUpLeft.mjs'
import type { Ticket } from '#features/crm/support/contract.ts'
import { requests } from '#features/crm/support/requests.contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { entryOfMessage } from '#features/crm/support/web/ticketEntries.tsx'
import { useMay } from '#web/api/useSend.ts'
import { Composer } from '#web/composer/Composer.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Stream } from '#web/stream/Stream.tsx'

/** Loads after the conversation, which is shown without waiting for it. */
const RequestReply = lazyPart(() => import('#features/crm/support/web/RequestReply.tsx'))

interface Props {
  ticket: Ticket
  /** Words of the line that the composer starts as; without them, it starts open. */
  line?: string | undefined
}

/** The messages of the viewer's own request, and the composer below them, for its page and the inbox. */
export function RequestConversation({ ticket, line }: Props) {
  const may = useMay(requests.reply, { params: { id: ticket.id }, body: { message: '', file_ids: [] } })
  return (
    <>
      <Stream label="Conversation" entries={ticket.messages.map((message) => entryOfMessage(message))} />
      {may && (
        <div className={classes.write}>
          <Composer
            line={line}
            chosen="reply"
            onChoose={() => {}}
            tabs={[
              {
                id: 'reply',
                label: 'Reply',
                letter: 'r',
                icon: <IconCornerUpLeft size={14} stroke={1.75} aria-hidden />,
                to: 'To support',
                content: <RequestReply ticket={ticket} />,
              },
            ]}
          />
        </div>
      )}
    </>
  )
}
