import IconLifebuoy from '@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs'
import { lazyPage, lazyPart } from '#web/shell/lazy.tsx'
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
    searches: async () => {
      const { emailSearch, ticketSearch } = await import('#features/crm/support/web/search.ts')
      return [ticketSearch, emailSearch]
    },
    name: 'Support tickets',
    panel: lazyPart(() => import('#features/crm/support/web/TicketsPanel.tsx')),
    panelOf: ['customer_user', 'organization'],
    menu: { under: support, label: 'All tickets', needs: 'all_tickets_list', goKey: 't' },
    component: lazyPage(() => import('#features/crm/support/web/SupportPage.tsx'), 'SupportPage'),
    prepare: async () => (await import('#features/crm/support/web/SupportPage.tsx')).prepareTickets,
  },
  {
    path: '/support/generate',
    name: 'New ticket',
    creates: { label: 'New ticket', needs: 'support_view' },
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
    path: '/support/incident/$ticket',
    name: 'Incident',
    component: lazyPage(() => import('#features/crm/support/web/incidents/IncidentPage.tsx'), 'IncidentPage'),
  },
  {
    path: '/support/unsorted',
    name: 'Unsorted',
    menu: { under: support, label: 'Unsorted', needs: 'all_tickets_view' },
    component: lazyPage(() => import('#features/crm/support/web/UnsortedPage.tsx'), 'UnsortedPage'),
    prepare: async () => (await import('#features/crm/support/web/UnsortedPage.tsx')).prepareUnsorted,
  },
  {
    path: '/support/saved-replies',
    shows: { saved_reply: '/support/saved-replies?open=$id' },
    name: 'Saved replies',
    menu: { under: support, label: 'Saved replies', needs: 'all_tickets_view' },
    component: lazyPage(
      () => import('#features/crm/support/web/saved-replies/SavedRepliesPage.tsx'),
      'SavedRepliesPage',
    ),
    prepare: async () =>
      (await import('#features/crm/support/web/saved-replies/SavedRepliesPage.tsx')).prepareSavedReplies,
  },
  {
    path: '/support/saved-replies/new',
    name: 'New saved reply',
    creates: { label: 'New saved reply', needs: 'all_tickets_view' },
    component: lazyPage(
      () => import('#features/crm/support/web/saved-replies/SavedReplyForm.tsx'),
      'NewSavedReplyPage',
    ),
  },
  {
    path: '/support/targets',
    name: 'Service targets',
    menu: { under: support, label: 'Service targets', onlyFor: [0, 1] },
    component: lazyPage(
      () => import('#features/crm/support/web/settings/ServiceTargetsPage.tsx'),
      'ServiceTargetsPage',
    ),
  },
  {
    path: '/support/assignment',
    name: 'Assignment',
    menu: { under: support, label: 'Assignment', onlyFor: [0, 1] },
    component: lazyPage(
      () => import('#features/crm/support/web/settings/AssignmentPage.tsx'),
      'AssignmentPage',
    ),
  },
  {
    path: '/support/ticket-rules',
    name: 'Ticket rules',
    menu: { under: support, label: 'Ticket rules', onlyFor: [0, 1] },
    component: lazyPage(
      () => import('#features/crm/support/web/settings/TicketRulesPage.tsx'),
      'TicketRulesPage',
    ),
  },
  {
    path: '/support/report',
    name: 'Support report',
    menu: { under: support, label: 'Support report', needs: 'all_tickets_list' },
    component: lazyPage(() => import('#features/crm/support/web/report/ReportPage.tsx'), 'SupportReportPage'),
  },
  {
    path: '/support-requests',
    name: 'Support requests',
    menu: { under: support },
    component: lazyPage(() => import('#features/crm/support/web/RequestsPage.tsx'), 'RequestsPage'),
    prepare: async () => (await import('#features/crm/support/web/RequestsPage.tsx')).prepareRequests,
  },
  {
    path: '/support-requests/create',
    name: 'New support request',
    creates: { label: 'New support request', needs: 'support_view' },
    component: lazyPage(() => import('#features/crm/support/web/NewTicketPage.tsx'), 'NewRequestPage'),
  },
  {
    path: '/support-requests/request/$request/$org_id',
    name: 'Support request',
    component: lazyPage(() => import('#features/crm/support/web/RequestPage.tsx'), 'RequestPage'),
  },
]
