import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const customerViewPages: readonly Page[] = [
  {
    path: '/customer-view',
    name: 'Customer view',
    component: lazyPage(
      () => import('#features/crm/customer-view/web/CustomerViewPage.tsx'),
      'CustomerViewPage',
    ),
  },
]
