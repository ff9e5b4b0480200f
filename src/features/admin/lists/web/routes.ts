import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const listsPages: readonly Page[] = [
  {
    path: '/settings/lists',
    name: 'Options',
    // Our own addition, so the specification names no permission for it.
    menu: { group: 'Admin', icon: IconListDetails, onlyFor: [0, 1] },
    searches: async () => [(await import('#features/admin/lists/web/search.ts')).listSearch],
    settingsTabs: [['/settings/lists', 'Options']],
    component: lazyPage(() => import('#features/admin/lists/web/ListsPage.tsx'), 'ListsPage'),
  },
]
