import IconLicense from '@tabler/icons-react/dist/esm/icons/IconLicense.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const list = () => import('#features/admin/terms/web/TermsPage.tsx')

export const termsPages: readonly Page[] = [
  {
    path: '/term&conditions',
    name: 'Terms & conditions',
    menu: { group: 'Admin', icon: IconLicense, needs: 'term_condition_list', products: onlyProductOne },
    component: lazyPage(list, 'TermsPage'),
    prepare: async () => (await list()).prepareTerms,
  },
  {
    path: '/term&conditions/new-terms',
    name: 'New version',
    creates: { label: 'New version of the terms', needs: 'term_condition_create' },
    component: lazyPage(() => import('#features/admin/terms/web/NewTermsPage.tsx'), 'NewTermsPage'),
  },
  {
    path: '/term&conditions/$term',
    name: 'Terms',
    component: lazyPage(() => import('#features/admin/terms/web/ShowTermsPage.tsx'), 'ShowTermsPage'),
  },
]
