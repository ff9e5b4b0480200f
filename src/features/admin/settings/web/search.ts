import { searchText } from '#shared/search-text.ts'
import { recordSearch } from '#web/palette/search.ts'

/** Settings of the panel and its products, each found by its label. */
export const settingsSearch = recordSearch({
  group: 'Settings',
  needs: ['admin_portal_list'],
  page: '/settings',
  find: async (text) => {
    const { generalLabels } = await import('#features/admin/settings/web/generalLabels.ts')
    const labels = [
      ...Object.values(generalLabels).map((label) => ({ label, tab: 'General', to: '/settings' })),
      ...['Product names', 'Credentials setup URLs', 'Public URLs of posts', 'Products in the switcher'].map(
        (label) => ({ label, tab: 'Products', to: '/settings?tab=products' }),
      ),
    ]
    return labels.filter(({ label }) => searchText(label).includes(searchText(text)))
  },
  hit: ({ label, tab, to }) => ({ id: `setting-${label}`, label, detail: tab, to }),
})
