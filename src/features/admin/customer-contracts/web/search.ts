import { request } from '#web/api/client.ts'
import { pageOf } from '#web/record/recordAddress.ts'
import { inOneLine, recordSearch } from '#web/palette/search.ts'

export const contractSearch = recordSearch({
  group: 'Contracts',
  needs: ['contract_list'],
  page: '/customer-contracts',
  list: '/customer-contracts?',
  find: async (search, signal) => {
    const { contracts } = await import('#features/admin/customer-contracts/contract.ts')
    return (await request(contracts.list, { query: { search } }, { signal })).data
  },
  hit: ({ id, title, organization }) => ({
    id: `contract-${id}`,
    label: title,
    detail: inOneLine(organization),
    to: pageOf('contract', id),
  }),
})
