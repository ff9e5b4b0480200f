import IconSignature from '@tabler/icons-react/dist/esm/icons/IconSignature.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

export const contractPages: readonly Page[] = [
  {
    path: '/customer-contracts',
    searches: async () => [(await import('#features/admin/customer-contracts/web/search.ts')).contractSearch],
    name: 'Customer contracts',
    menu: { group: 'Admin', icon: IconSignature, needs: 'contract_list', products: onlyProductOne },
    component: lazyPage(
      () => import('#features/admin/customer-contracts/web/ContractsPage.tsx'),
      'ContractsPage',
    ),
    prepare: async () =>
      (await import('#features/admin/customer-contracts/web/ContractsPage.tsx')).prepareContracts,
  },
  {
    path: '/customer-contracts/new-contract',
    name: 'New contract',
    creates: { label: 'New contract', needs: 'contract_list' },
    component: lazyPage(
      () => import('#features/admin/customer-contracts/web/ContractForm.tsx'),
      'NewContractPage',
    ),
  },
  {
    path: '/customer-contracts/update-contract/$contract',
    shows: { contract: '/customer-contracts/update-contract/$id' },
    name: 'Edit contract',
    component: lazyPage(
      () => import('#features/admin/customer-contracts/web/ContractForm.tsx'),
      'ContractPage',
    ),
  },
]
