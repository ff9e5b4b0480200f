import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

const load = () => import('#features/crm/users/web/UsersPage.tsx')
const others = () => import('#features/crm/users/web/BannedAndMasters.tsx')

export const userPages: readonly Page[] = [
  {
    path: '/users',
    searches: async () => [(await import('#features/crm/users/web/search.ts')).userSearch],
    name: 'Users',
    component: lazyPage(load, 'UsersPage'),
    prepare: async () => (await load()).prepareUsers,
  },
  { path: '/users/banned', name: 'Banned users', component: lazyPage(others, 'BannedPage') },
  { path: '/users/master', name: 'Master Users', component: lazyPage(others, 'MastersPage') },
  {
    path: '/users/master/add',
    name: 'Add master user',
    component: lazyPage(() => import('#features/crm/users/web/AddMasterPage.tsx'), 'AddMasterPage'),
  },
]
