import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const settingsPages: readonly Page[] = [
  {
    path: '/settings',
    name: 'Settings',
    component: lazyPage(() => import('#features/admin/settings/web/SettingsPage.tsx'), 'SettingsPage'),
  },
  {
    path: '/settings/roles',
    name: 'Roles and permissions',
    component: lazyPage(() => import('#features/admin/settings/web/RolesPage.tsx'), 'RolesPage'),
  },
  {
    path: '/calendly-widget-settings',
    name: 'Scheduling',
    component: lazyPage(() => import('#features/admin/settings/web/WidgetPage.tsx'), 'WidgetPage'),
  },
]
