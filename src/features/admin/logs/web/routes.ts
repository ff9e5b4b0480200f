import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { lazyPage, lazyPart } from '#web/shell/lazy.tsx'
import { onlyProductOne, type MenuParent } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const logs: MenuParent = {
  group: 'Admin',
  label: 'Logs',
  icon: IconHistory,
  needs: 'logs_view',
  products: onlyProductOne,
}

export const logPages: readonly Page[] = [
  {
    path: '/users/log',
    name: 'Sign-in log',
    menu: { under: logs, needs: 'login_logs_view' },
    component: lazyPage(() => import('#features/admin/logs/web/SignInsPage.tsx'), 'SignInsPage'),
    panel: lazyPart(() => import('#features/admin/logs/web/SignInsOfStaff.tsx')),
    panelOf: ['staff'],
  },
  {
    path: '/users/admin-log',
    name: 'Audit log',
    menu: { under: logs, needs: 'admin_users_log_list' },
    component: lazyPage(() => import('#features/admin/logs/web/AuditPage.tsx'), 'AuditPage'),
  },
]
