import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

const load = () => import('#features/admin/staff/web/StaffPage.tsx')
export const staffPages: readonly Page[] = [
  { path: '/admin-users', name: 'Admin users', component: lazyPage(load, 'StaffPage') },
]
