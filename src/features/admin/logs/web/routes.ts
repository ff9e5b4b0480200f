import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne, type MenuParent } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const load = () => import('#features/admin/logs/web/LogPages.tsx')
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
    component: lazyPage(load, 'SignInsPage'),
  },
  {
    path: '/users/admin-log',
    name: 'Audit log',
    menu: { under: logs, needs: 'admin_users_log_list' },
    component: lazyPage(load, 'AuditPage'),
  },
]
