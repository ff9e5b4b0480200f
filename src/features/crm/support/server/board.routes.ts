import { board } from '#features/crm/support/board.contract.ts'
import { findBoard, ticketKind } from '#features/crm/support/server/support.queries.ts'
import { changeTicket } from '#features/crm/support/server/changes.ts'
import { placeCard } from '#features/crm/support/server/cards.ts'
import { implement, type App, type Handler } from '#server/http/implement.ts'
import { lockRecord } from '#server/record/record.ts'
import type { Row } from '#server/record/rows.ts'

const moveCard =
  (app: App): Handler<typeof board.moveCard> =>
  async ({ params: { ticket }, body }, context) => {
    const held = await lockRecord(context.db, ticketKind, ticket, context.viewer)
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

export function boardRoutes(app: App): void {
  implement(app, board.show, async (_input, { db, viewer }) => ({ data: await findBoard(db, viewer) }))
  implement(app, board.moveCard, moveCard(app))
}

const withoutUndefined = (values: Row): Row =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
