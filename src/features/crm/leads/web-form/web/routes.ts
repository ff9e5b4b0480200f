import IconForms from '@tabler/icons-react/dist/esm/icons/IconForms.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const webFormPages: readonly Page[] = [
  {
    path: '/settings/web-forms',
    name: 'Web forms',
    // Our own addition, so the specification names no permission for it.
    menu: { group: 'Admin', icon: IconForms, onlyFor: [0, 1] },
    settingsTabs: [['/settings/web-forms', 'Web forms']],
    component: lazyPage(() => import('#features/crm/leads/web-form/web/WebFormsPage.tsx'), 'WebFormsPage'),
  },
]
