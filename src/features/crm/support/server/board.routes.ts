import { board } from '#features/crm/support/board.contract.ts'
import { ticketBoard } from '#features/crm/support/lanes.contract.ts'
import { findBoard, placeCard } from '#features/crm/support/server/cards.ts'
import { changeTicket, type Writing } from '#features/crm/support/server/changes.ts'
import { getTicketRow, ticketKind } from '#features/crm/support/server/support.queries.ts'
import { conflict } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { lockRecord } from '#server/record/record.ts'
import { findLaterMove } from '#server/record/moved.ts'
import type { Row, StoredRecord } from '#server/record/rows.ts'

const moveCard =
  (app: App): Handler<typeof board.moveCard> =>
  async ({ params: { ticket }, body }, context) => {
    const held = await lockRecord(context.db, ticketKind, ticket, context.viewer)
    await refuseMoved(context, held, body.version)
    if (body.add_trello === 0)
      return changeTicket(
        app,
        context,
        ticket,
        { list_id: null },
        'Card removed from the board.',
        'Removed from board',
      )
    const stays = body.list_id === undefined && body.before === undefined && held['list_id'] !== null
    const { list_card_title, list_card_desc } = body
    if (stays)
      return changeTicket(
        app,
        context,
        ticket,
        withoutUndefined({ list_card_title, list_card_desc }),
        'Card saved.',
        'Card edited',
      )
    return changeTicket(
      app,
      context,
      ticket,
      await placeCard(context.db, held, body),
      'Card moved.',
      'Card moved',
    )
  }

/** Refuses to move a card that someone else moved after the viewer saw it. */
async function refuseMoved({ db, viewer }: Writing, held: StoredRecord, seen: number | undefined) {
  const moved = await findLaterMove(db, ticketKind, held, seen, ['list_id', 'card_position'], viewer)
  if (!moved) return
  const current = await getTicketRow(db, held.id, viewer)
  const list_id = 'list_id' in moved.after ? current.list_id : undefined
  const list =
    typeof list_id === 'number'
      ? await db.selectFrom('board_lists').select('name').where('id', '=', list_id).executeTakeFirst()
      : undefined
  const what =
    list_id === null
      ? 'removed this card from the board'
      : `moved this card${list ? ` to “${list.name}”` : ''}`
  throw conflict(`${moved.name} already ${what}.`, current)
}

export function boardRoutes(app: App): void {
  implement(app, ticketBoard.show, ({ query }, { db, viewer }) => findBoard(db, query, viewer))
  implement(app, board.moveCard, moveCard(app))
}

const withoutUndefined = (values: Row): Row =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
