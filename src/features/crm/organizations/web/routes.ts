import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const organizationPages: readonly Page[] = [
  {
    path: '/organizations/all-organizations',
    searches: async () => [(await import('#features/crm/organizations/web/search.ts')).organizationSearch],
    name: 'Organizations',
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
