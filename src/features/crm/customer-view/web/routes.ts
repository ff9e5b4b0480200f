import IconUserSearch from '@tabler/icons-react/dist/esm/icons/IconUserSearch.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const customerViewPages: readonly Page[] = [
  {
    path: '/customer-view',
    name: 'Customer view',
    shortcut: IconUserSearch,
    goKey: 'v',
    component: lazyPage(
      () => import('#features/crm/customer-view/web/CustomerViewPage.tsx'),
      'CustomerViewPage',
    ),
  },
]
