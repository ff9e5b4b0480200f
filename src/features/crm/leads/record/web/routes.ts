import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const leadPages: readonly Page[] = [
  {
    path: '/demo-leads',
    name: 'Leads',
    component: lazyPage(() => import('#features/crm/leads/list/web/LeadsPage.tsx'), 'LeadsPage'),
    prepare: async () => (await import('#features/crm/leads/list/web/LeadsPage.tsx')).prepareLeads,
  },
  {
    path: '/demo-leads/import',
    name: 'Import leads',
    component: lazyPage(() => import('#features/crm/leads/import/web/ImportPage.tsx'), 'ImportPage'),
  },
  {
    path: '/demo-leads/follow-ups',
    name: 'Follow-ups',
    component: lazyPage(
      () => import('#features/crm/leads/follow-ups/web/FollowUpsPage.tsx'),
      'FollowUpsPage',
    ),
    prepare: async () => (await import('#features/crm/leads/follow-ups/web/FollowUpsPage.tsx')).prepareQueue,
  },
  {
    path: '/demo-leads/operations',
    name: 'Undo history',
    component: lazyPage(
      () => import('#features/crm/leads/operations/web/OperationsPage.tsx'),
      'OperationsPage',
    ),
  },
  {
    path: '/demo-leads/demo-leads-schedule',
    name: 'Next schedule',
    component: lazyPage(() => import('#features/crm/leads/demos/web/SchedulePage.tsx'), 'SchedulePage'),
  },
  {
    path: '/demo-leads/$detail/$id',
    name: 'Lead details',
    component: lazyPage(() => import('#features/crm/leads/record/web/LeadPage.tsx'), 'LeadPage'),
  },
]
