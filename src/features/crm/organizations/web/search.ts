import { request } from '#web/api/client.ts'
import { pageOf } from '#web/record/recordAddress.ts'
import { recordSearch } from '#web/palette/search.ts'

export const organizationSearch = recordSearch({
  group: 'Organizations',
  needs: ['all_organization_list'],
  page: '/organizations',
  list: '/organizations/all-organizations?',
  find: async (search, signal) => {
    const { organizations } = await import('#features/crm/organizations/contract.ts')
    return (await request(organizations.list, { query: { search } }, { signal })).data
  },
  hit: ({ organization_id, name, country }) => ({
    id: `organization-${organization_id}`,
    label: name,
    detail: country,
    to: pageOf('organization', organization_id, name),
  }),
})
