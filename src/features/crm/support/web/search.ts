import { request } from '#web/api/client.ts'
import { inOneLine, recordSearch } from '#web/palette/search.ts'

export const ticketSearch = recordSearch({
  group: 'Tickets',
  needs: ['all_tickets_list'],
  page: '/support',
  find: async (q, signal) => {
    const { tickets } = await import('#features/crm/support/contract.ts')
    return (await request(tickets.search, { query: { q } }, { signal })).data
  },
  hit: ({ id, org_id, title, organization }) => ({
    id: `ticket-${id}`,
    label: title,
    detail: inOneLine(`#${id}`, organization),
    to: `/support/ticket/${id}/${org_id}`,
  }),
})
