import IconMessages from '@tabler/icons-react/dist/esm/icons/IconMessages.mjs'
import { mayOpen } from '#shared/access.ts'
import { mayReadType } from '#shared/records.ts'
import { tickets } from '#features/crm/support/contract.ts'
import { daySource } from '#web/dashboard/daySource.ts'

/** Tickets with messages of customers that no one has read, for support staff. */
export const ticketsOfDay = daySource({
  name: 'Unread tickets',
  icon: IconMessages,
  endpoint: tickets.unread,
  input: () => [],
  mayShow: ({ role_id }) => mayOpen(role_id, '/support'),
  all: () => '/support?unread=1',
  read: ({ ticket_count, unread_tickets }, { viewer }) => ({
    total: ticket_count,
    items: unread_tickets.map(({ st_id, title, organization_id, organization, who, created_at }) => ({
      key: `ticket ${st_id}`,
      title,
      detail: `#${st_id} · ${organization ?? who}`,
      when: { since: created_at },
      to: mayReadType('ticket', viewer) ? `/support/ticket/${st_id}/${organization_id}` : undefined,
    })),
  }),
})
