import IconLifebuoy from '@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne, type MenuParent } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const support: MenuParent = {
  group: 'CRM',
  label: 'Support',
  icon: IconLifebuoy,
  needs: 'support_view',
  products: onlyProductOne,
}

export const supportPages: readonly Page[] = [
  {
    path: '/support',
    searches: async () => [(await import('#features/crm/support/web/search.ts')).ticketSearch],
    name: 'Support tickets',
    menu: { under: support, label: 'All tickets', needs: 'all_tickets_list' },
    component: lazyPage(() => import('#features/crm/support/web/SupportPage.tsx'), 'SupportPage'),
    prepare: async () => (await import('#features/crm/support/web/SupportPage.tsx')).prepareTickets,
  },
  {
    path: '/support/generate',
    name: 'New ticket',
    component: lazyPage(() => import('#features/crm/support/web/NewTicketPage.tsx'), 'GenerateTicketPage'),
  },
  {
    path: '/support/ticket/$ticket/$org_id',
    // The page looks up the organization itself.
    shows: { ticket: '/support/ticket/$id/0' },
    name: 'Ticket',
    component: lazyPage(() => import('#features/crm/support/web/TicketPage.tsx'), 'TicketPage'),
  },
  {
    path: '/support-requests',
    name: 'Support requests',
    menu: { under: support },
    component: lazyPage(() => import('#features/crm/support/web/RequestsPage.tsx'), 'RequestsPage'),
  },
  {
    path: '/support-requests/create',
    name: 'New support request',
    component: lazyPage(() => import('#features/crm/support/web/NewTicketPage.tsx'), 'NewRequestPage'),
  },
  {
    path: '/support-requests/request/$request/$org_id',
    name: 'Support request',
    component: lazyPage(() => import('#features/crm/support/web/RequestsPage.tsx'), 'RequestPage'),
  },
]
