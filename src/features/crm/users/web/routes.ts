import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne, type MenuParent } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const load = () => import('#features/crm/users/web/UsersPage.tsx')
const others = () => import('#features/crm/users/web/BannedAndMasters.tsx')

const users: MenuParent = { group: 'CRM', label: 'Users', icon: IconUsers, needs: 'users_view' }
const needs = 'all_users_list'

export const userPages: readonly Page[] = [
  {
    path: '/users',
    searches: async () => [(await import('#features/crm/users/web/search.ts')).userSearch],
    name: 'Users',
    creates: { label: 'New user', needs, isDialog: true },
    menu: { under: users, label: 'All users', needs, goKey: 'u' },
    component: lazyPage(load, 'UsersPage'),
    prepare: async () => (await load()).prepareUsers,
  },
  {
    path: '/users/detail/$name/$id',
    shows: { customer_user: '/users/detail/$name/$id' },
    name: 'User',
    component: lazyPage(() => import('#features/crm/users/web/UserPage.tsx'), 'UserPage'),
  },
  {
    path: '/users/banned',
    name: 'Banned users',
    menu: { under: users, needs },
    component: lazyPage(others, 'BannedPage'),
  },
  {
    path: '/users/master',
    name: 'Master Users',
    menu: { under: users, needs, products: onlyProductOne },
    component: lazyPage(others, 'MastersPage'),
  },
  {
    path: '/users/master/add',
    name: 'Add master user',
    component: lazyPage(() => import('#features/crm/users/web/AddMasterPage.tsx'), 'AddMasterPage'),
  },
]
