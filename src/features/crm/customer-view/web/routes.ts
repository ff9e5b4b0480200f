import IconUserSearch from '@tabler/icons-react/dist/esm/icons/IconUserSearch.mjs'
import { lazyPage, lazyPart } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const customerViewPages: readonly Page[] = [
  {
    path: '/customer-view',
    name: 'Customer view',
    shortcut: IconUserSearch,
    goKey: 'v',
    panel: lazyPart(() => import('#features/crm/customer-view/web/CustomerOfTicket.tsx')),
    panelOf: ['ticket'],
    component: lazyPage(
      () => import('#features/crm/customer-view/web/CustomerViewPage.tsx'),
      'CustomerViewPage',
    ),
  },
]
