import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

const load = () => import('#features/admin/logs/web/LogPages.tsx')
export const logPages: readonly Page[] = [
  { path: '/users/log', name: 'Sign-in log', component: lazyPage(load, 'SignInsPage') },
  { path: '/users/admin-log', name: 'Audit log', component: lazyPage(load, 'AuditPage') },
]
