import { request } from '#web/api/client.ts'
import { pageOf } from '#web/record/recordAddress.ts'
import { inOneLine, recordSearch } from '#web/palette/search.ts'

export const userSearch = recordSearch({
  group: 'Users',
  needs: ['all_users_list'],
  page: '/users',
  list: '/users?',
  find: async (q, signal) => {
    const { users } = await import('#features/crm/users/contract.ts')
    return (await request(users.search, { query: { q } }, { signal })).data
  },
  hit: ({ id, name, organization, email, phone }) => ({
    id: `user-${id}`,
    label: name,
    detail: inOneLine(organization, phone || email),
    to: pageOf('customer_user', id, name),
  }),
})
