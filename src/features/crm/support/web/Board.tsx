import { board } from '#features/crm/support/board.contract.ts'
import { ticketBoard } from '#features/crm/support/lanes.contract.ts'
import type { TicketRow } from '#features/crm/support/contract.ts'
import { settledStatuses } from '#features/crm/support/rules.ts'
import { EmailFailed, ticketAddress, TicketState } from '#features/crm/support/web/ticketWords.tsx'
import type { Reply } from '#shared/endpoint.ts'
import { patchCachedReplies, useMay, useSend } from '#web/api/useSend.ts'
import { Board } from '#web/board/Board.tsx'
import type { CardTexts } from '#web/board/CardFace.tsx'
import { moveCard, type Lane } from '#web/board/lanes.ts'
import type { Move } from '#web/board/useLift.ts'
import { LastAct } from '#web/record/LastAct.tsx'
import { useUndo } from '#web/record/useUndo.ts'

interface Props {
  reply: Reply<typeof ticketBoard.show>
  onMore: (lane: Lane<TicketRow>) => void
}

/** The lane of the tickets that have no card. */
const off = 0

/** Board of the lists that tickets have cards in. Tickets without a card are in a folded lane. */
export default function SupportBoard({ reply, onMore }: Props) {
  const { announceAct } = useUndo()
  const { send } = useSend(board.moveCard, {
    onDone: ({ message, operation }) => announceAct(message, operation),
    optimisticUpdate: ({ params, body }, queries) =>
      patchCachedReplies(queries, ticketBoard.show, (shown) =>
        withMoved(shown, Number(params.ticket), body?.list_id ?? off, body?.before ?? 0),
      ),
  })
  const mayMove = useMay(board.moveCard, { params: { ticket: 1 }, body: {} })
  const onMove = async ({ card: { id, version }, to, before }: Move<TicketRow>) => {
    const place = to === off ? ({ add_trello: 0 } as const) : { list_id: to, before: before?.id ?? 0 }
    return (await send({ params: { ticket: id }, body: { ...place, version } })) !== undefined
  }
  return (
    <Board
      name="tickets"
      label="Board"
      lanes={[...reply.data, { ...reply.others, isFolded: true, moveLabel: 'Remove from board' }]}
      words={['card', 'cards']}
      keyOf={keyOf}
      nameOf={titleOf}
      addressOf={ticketAddress}
      texts={textsOf}
      isOrdered
      mayMove={mayMove}
      onMove={onMove}
      onMore={onMore}
    >
      <LastAct undoKey />
    </Board>
  )
}

const keyOf = ({ id }: TicketRow) => id
const titleOf = ({ title, list_card_title }: TicketRow) => list_card_title || title

const textsOf = (ticket: TicketRow): CardTexts => ({
  title: titleOf(ticket),
  text: [`#${ticket.id}`, ticket.organization ?? ticket.requester].filter(Boolean).join(' · '),
  isNew: ticket.unread,
  mark: (
    <>
      <EmailFailed ticket={ticket} /> <TicketState id={ticket.status} />
    </>
  ),
  due: {
    day: ticket.delivery_date,
    isOpen: !settledStatuses.includes(ticket.status),
    label: 'Delivery date',
  },
  assignee: ticket.assignee,
})

function withMoved(shown: Props['reply'], id: number, to: number, before: number): Props['reply'] {
  const lanes = moveCard([...shown.data, shown.others], keyOf, id, to, before)
  return { ...shown, data: lanes.slice(0, -1), others: lanes.at(-1)! }
}
