import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const dashboardPages: readonly Page[] = [
  { path: '/dashboard', name: 'Dashboard', component: lazyPage(() => import('#features/panel/dashboard/web/DashboardPage.tsx'), 'DashboardPage') },
]
