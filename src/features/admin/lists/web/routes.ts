import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const listsPages: readonly Page[] = [
  {
    path: '/settings/lists',
    name: 'Options',
    component: lazyPage(() => import('#features/admin/lists/web/ListsPage.tsx'), 'ListsPage'),
  },
]
