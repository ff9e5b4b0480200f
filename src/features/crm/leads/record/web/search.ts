import { request } from '#web/api/client.ts'
import { pageOf } from '#web/record/recordAddress.ts'
import { inOneLine, recordSearch } from '#web/palette/search.ts'

export const leadSearch = recordSearch({
  group: 'Leads',
  needs: ['lead_list'],
  list: '/demo-leads?fromDate=all&toDate=all&',
  find: async (search, signal) => {
    const { leads } = await import('#features/crm/leads/contract.ts')
    return (await request(leads.list, { query: { search, fromDate: 'all', toDate: 'all' } }, { signal })).data
      .leads
  },
  hit: ({ lead_id, companyName, contactName, email }) => ({
    id: `lead-${lead_id}`,
    label: companyName,
    detail: inOneLine(contactName, email),
    to: pageOf('lead', lead_id, companyName),
  }),
})
