import type { App } from '#server/app.ts'
import { usedIn } from '#server/record/option-lists.ts'

/** Registers the option lists of tickets and of the board. */
export function registerSupportLists({ optionLists }: App): void {
  optionLists.register('ticket_statuses', {
    table: 'ticket_statuses',
    key: 'id',
    toned: true,
    fixed: {
      '0': 'New tickets start with this status.',
      '2': 'Tickets moved to development get this status.',
    },
    used: usedIn('tickets', 'status'),
    usedBy: ['ticket uses', 'tickets use'],
  })
  optionLists.register('ticket_categories', {
    table: 'ticket_categories',
    key: 'id',
    toned: true,
    fixed: { '1': 'New tickets start with this category.' },
    used: usedIn('tickets', 'category'),
    usedBy: ['ticket uses', 'tickets use'],
  })
  optionLists.register('ticket_tags', {
    table: 'ticket_tags',
    key: 'id',
    used: usedIn('ticket_tag_links', 'tag_id'),
    usedBy: ['ticket has', 'tickets have'],
  })
  optionLists.register('board_lists', {
    table: 'board_lists',
    key: 'id',
    used: usedIn('tickets', 'list_id'),
    usedBy: ['ticket is in', 'tickets are in'],
  })
}
