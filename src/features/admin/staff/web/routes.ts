import IconUserCog from '@tabler/icons-react/dist/esm/icons/IconUserCog.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const load = () => import('#features/admin/staff/web/StaffPage.tsx')
export const staffPages: readonly Page[] = [
  {
    path: '/admin-users',
    name: 'Admin users',
    menu: { group: 'Admin', icon: IconUserCog, needs: 'admin_users_list', products: onlyProductOne },
    shows: { staff: '/admin-users?open=$id' },
    component: lazyPage(load, 'StaffPage'),
  },
]
