import { request } from '#web/api/client.ts'
import { recordAddress } from '#web/record/recordAddress.ts'
import { viewer } from '#web/session.ts'
import { inOneLine, recordSearch } from '#web/palette/search.ts'

export const ticketSearch = recordSearch({
  group: 'Tickets',
  isNamedByNumber: true,
  needs: ['all_tickets_list'],
  page: '/support',
  list: '/support?',
  find: async (q, signal) => {
    const { tickets } = await import('#features/crm/support/contract.ts')
    return (await request(tickets.search, { query: { q } }, { signal })).data
  },
  hit: ({ id, org_id, title, organization }) => ({
    id: `ticket-${id}`,
    label: title,
    detail: inOneLine(`#${id}`, organization),
    to: `/support/ticket/${id}/${org_id}`,
    number: id,
  }),
})

/** Sent and received emails of the records that the viewer can read, by words, `from:`, and `to:`. */
export const emailSearch = recordSearch({
  group: 'Emails',
  find: async (q, signal) => {
    const { receivedMails } = await import('#shared/received-mails.ts')
    return (await request(receivedMails.search, { query: { q } }, { signal })).data
  },
  hit: ({ way, id, who, subject, record_type, record_id, record_name }) => ({
    id: `${way}-email-${id}`,
    label: subject || '(no subject)',
    detail: inOneLine(way === 'sent' ? `to ${who}` : who, record_name),
    to: `${recordAddress(record_type, record_id, viewer()) ?? '/'}#${way === 'sent' ? 'mail' : 'received'}-${id}`,
  }),
})
