import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne, type MenuParent } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const settings: MenuParent = {
  group: 'Admin',
  label: 'Settings',
  icon: IconSettings,
  needs: 'setting_view',
  products: onlyProductOne,
}

export const settingsPages: readonly Page[] = [
  {
    path: '/settings',
    name: 'Panel settings',
    menu: { under: settings, needs: 'admin_portal_list' },
    searches: async () => [(await import('#features/admin/settings/web/search.ts')).settingsSearch],
    settingsTabs: [
      ['/settings', 'General'],
      ['/settings?tab=products', 'Products'],
    ],
    component: lazyPage(() => import('#features/admin/settings/web/SettingsPage.tsx'), 'SettingsPage'),
  },
  {
    path: '/calendly-widget-settings',
    name: 'Scheduling',
    menu: { under: settings, needs: 'calendly_widget_list' },
    settingsTabs: [['/calendly-widget-settings', 'Scheduling']],
    component: lazyPage(() => import('#features/admin/settings/web/WidgetPage.tsx'), 'WidgetPage'),
  },
  {
    path: '/settings/roles',
    name: 'Roles and permissions',
    // Our own addition, so the specification names no permission for it.
    menu: { group: 'Admin', icon: IconShieldLock, onlyFor: [0, 1] },
    component: lazyPage(() => import('#features/admin/settings/web/RolesPage.tsx'), 'RolesPage'),
  },
]
