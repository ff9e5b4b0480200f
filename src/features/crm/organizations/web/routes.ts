import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne, type MenuParent } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const organizations: MenuParent = {
  group: 'CRM',
  label: 'Organizations',
  icon: IconBuilding,
  needs: 'organization_view',
  products: onlyProductOne,
}

export const organizationPages: readonly Page[] = [
  {
    path: '/organizations/all-organizations',
    searches: async () => [(await import('#features/crm/organizations/web/search.ts')).organizationSearch],
    name: 'Organizations',
    menu: { under: organizations, label: 'All organizations', needs: 'all_organization_list', goKey: 'o' },
    component: lazyPage(
      () => import('#features/crm/organizations/web/OrganizationsPage.tsx'),
      'OrganizationsPage',
    ),
    prepare: async () =>
      (await import('#features/crm/organizations/web/OrganizationsPage.tsx')).prepareOrganizations,
  },
  {
    path: '/organizations/detail/$user_name/$user/$organization_id',
    shows: { organization: '/organizations/detail/$name/0/$id' },
    name: 'Organization details',
    component: lazyPage(
      () => import('#features/crm/organizations/web/OrganizationPage.tsx'),
      'OrganizationPage',
    ),
  },
  {
    path: '/organizations/document/$user_name/$organization_id',
    name: 'Organization documents',
    component: lazyPage(() => import('#features/crm/organizations/web/DocumentsPage.tsx'), 'DocumentsPage'),
  },
]
