import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const customFieldPages: readonly Page[] = [
  {
    path: '/settings/custom-fields',
    name: 'Custom fields',
    // Our own addition, so the specification names no permission for it.
    menu: { group: 'Admin', icon: IconColumns3, onlyFor: [0, 1] },
    settingsTabs: [['/settings/custom-fields', 'Custom fields']],
    component: lazyPage(
      () => import('#features/crm/leads/custom-fields/web/CustomFieldsPage.tsx'),
      'CustomFieldsPage',
    ),
  },
]
