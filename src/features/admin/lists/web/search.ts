import { isAdminRole } from '#shared/access.ts'
import { searchText } from '#shared/search-text.ts'
import type { PaletteSearch } from '#web/palette/Palette.tsx'
import { recordSearch } from '#web/palette/search.ts'
import { viewer } from '#web/session.ts'

/** The lists of options, each found by its label. */
export const listSearch: PaletteSearch = {
  ...recordSearch({
    group: 'Options',
    find: async (text) => {
      const { listNames, lists } = await import('#features/admin/lists/contract.ts')
      return listNames
        .map((name) => ({ name, label: lists[name].label }))
        .filter(({ label }) => searchText(label).includes(searchText(text)))
    },
    hit: ({ name, label }) => ({
      id: `list-${name}`,
      label,
      detail: 'list of options',
      to: `/settings/lists?list=${name}`,
    }),
  }),
  isAllowed: () => {
    const role = viewer()?.role_id
    return role !== undefined && isAdminRole(role)
  },
}
