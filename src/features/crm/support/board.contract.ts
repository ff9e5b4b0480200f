import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { code, emptyIsAbsent, text, flag, wholeNumber } from '#shared/schemas.ts'
import { idOrZero, ticket, ofTicket } from '#features/crm/support/parts.contract.ts'
import { TicketChanged } from '#features/crm/support/contract.ts'

export const board = {
  moveCard: endpoint({
    method: 'POST',
    path: '/admin/support/moveCard/{ticket}',
    summary:
      'Move a ticket’s card to a board list, before another card or at the end, and set its title and description. Without a list or position, the card stays where it is. Send add_trello 0 to remove it from the board. Returns 409 if someone else moved the card after the given version.',
    act: 'Moved card',
    access: ofTicket,
    params: ticket,
    body: z.object({
      list_id: emptyIsAbsent(code),
      before: emptyIsAbsent(idOrZero),
      add_trello: emptyIsAbsent(flag),
      list_card_title: emptyIsAbsent(text(300)),
      list_card_desc: emptyIsAbsent(text(5000)),
      version: wholeNumber(1, 2_147_483_647).optional(),
    }),
    response: TicketChanged,
  }),
}
