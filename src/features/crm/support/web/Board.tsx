import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Reply } from '#shared/endpoint.ts'
import type { TicketRow } from '#features/crm/support/contract.ts'
import { board } from '#features/crm/support/board.contract.ts'
import { ticketAddress, ticketQueries, TicketStatus } from '#features/crm/support/web/ticketWords.tsx'
import classes from '#features/crm/support/web/support.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { LastAct } from '#web/record/LastAct.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { IconButton, Select } from '#web/parts/controls.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'

/** Board of ticket cards in lists. Cards can be dragged or moved with the controls on each card. */
export function Board() {
  const query = useQuery(queryOptionsFor(board.show))
  useChanged('ticket', useMay(board.show) ? [board.show] : [])
  const moves = useCardMoves()
  if (!useMay(board.show)) return null
  return (
    <Loaded query={query} skeleton={<p role="status">Loading…</p>}>
      {({ data: lists }) => (
        <>
          <div className={classes.board} role="group" aria-label="Board" tabIndex={0}>
            {lists.map((lane) => (
              <Lane key={lane.id} lane={lane} lists={lists} moves={moves} />
            ))}
          </div>
          <LastAct refresh={ticketQueries} />
        </>
      )}
    </Loaded>
  )
}

type List = Reply<typeof board.show>['data'][number]

interface Moves {
  mayMove: boolean
  hold: (ticket: number | undefined) => void
  /** Moves a card before another one, or to the end of the list. */
  move: (ticket: number, list_id: number, before?: number) => void
  /** Moves the card that is being dragged. */
  drop: (list_id: number, before?: number) => void
  remove: (ticket: number) => void
}

function useCardMoves(): Moves {
  const [held, setHeld] = useState<number>()
  const { announceAct } = useUndo(ticketQueries)
  const { send } = useSend(board.moveCard, {
    refresh: ticketQueries,
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const mayMove = useMay(board.moveCard, { params: { ticket: 1 }, body: {} })
  const move = (ticket: number, list_id: number, before = 0) => {
    if (ticket !== before) void send({ params: { ticket }, body: { list_id, before } })
  }
  const drop = (list_id: number, before = 0) => {
    if (held !== undefined) move(held, list_id, before)
    setHeld(undefined)
  }
  const remove = (ticket: number) => void send({ params: { ticket }, body: { add_trello: 0 } })
  return { mayMove, hold: setHeld, move, drop, remove }
}

interface LaneProps {
  lane: List
  lists: readonly List[]
  moves: Moves
}

function Lane({ lane, lists, moves }: LaneProps) {
  const { id, name, cards } = lane
  return (
    <section
      className={classes.lane}
      aria-label={name}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        moves.drop(id)
      }}
    >
      <h2>
        {name} <span className={classes.soft}>{cards.length}</span>
      </h2>
      <ul className={classes.cards}>
        {cards.map((card, index) => (
          <BoardCard key={card.id} index={index} lane={lane} lists={lists} moves={moves} />
        ))}
      </ul>
      {cards.length === 0 && <p className={classes.soft}>No cards yet.</p>}
    </section>
  )
}

function BoardCard({ index, ...props }: LaneProps & { index: number }) {
  const { lane, moves } = props
  const card = lane.cards[index]!
  return (
    <li
      className={classes.card}
      draggable={moves.mayMove}
      onDragStart={(event) => {
        // Firefox does not start a drag unless data is set.
        event.dataTransfer.setData('text/plain', card.title)
        event.dataTransfer.effectAllowed = 'move'
        moves.hold(card.id)
      }}
      onDragEnd={() => moves.hold(undefined)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        moves.drop(lane.id, card.id)
      }}
    >
      <PageLink to={ticketAddress(card)}>{card.list_card_title || card.title}</PageLink>
      {card.list_card_desc && <p className={classes.soft}>{card.list_card_desc}</p>}
      <p className={classes.soft}>{[card.organization, card.requester].filter(Boolean).join(' · ')}</p>
      <div className={classes.cardActs}>
        <TicketStatus ticket={card} />
        {moves.mayMove && <MoveButtons index={index} {...props} />}
      </div>
    </li>
  )
}

function MoveButtons({
  index,
  lane: { id, cards },
  lists,
  moves: { move, remove },
}: LaneProps & { index: number }) {
  const card = cards[index]!
  return (
    <span className={classes.cardMoves}>
      <Select
        label={`Board list for ${card.title}`}
        value={String(id)}
        options={lists.map((list) => [String(list.id), list.name] as const)}
        onChoose={(list) => move(card.id, Number(list))}
      />
      {index > 0 && (
        <IconButton
          bare
          label={`Move ${card.title} up`}
          onClick={() => move(card.id, id, cards[index - 1]!.id)}
        >
          <IconArrowUp size={14} aria-hidden />
        </IconButton>
      )}
      {index < cards.length - 1 && (
        <IconButton
          bare
          label={`Move ${card.title} down`}
          onClick={() => move(card.id, id, insertBeforeId(cards, index))}
        >
          <IconArrowDown size={14} aria-hidden />
        </IconButton>
      )}
      <IconButton bare label={`Remove ${card.title} from the board`} onClick={() => remove(card.id)}>
        <IconX size={14} aria-hidden />
      </IconButton>
    </span>
  )
}

/**
 * Returns the ID of the card to insert before in order to move a card one place down; 0 is the end of the
 * list.
 */
const insertBeforeId = (cards: readonly TicketRow[], index: number) => cards[index + 2]?.id ?? 0
