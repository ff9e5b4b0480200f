import IconAddressBook from '@tabler/icons-react/dist/esm/icons/IconAddressBook.mjs'
import IconCalendarDue from '@tabler/icons-react/dist/esm/icons/IconCalendarDue.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconTrendingUp from '@tabler/icons-react/dist/esm/icons/IconTrendingUp.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const leadPages: readonly Page[] = [
  {
    path: '/demo-leads',
    searches: async () => [(await import('#features/crm/leads/record/web/search.ts')).leadSearch],
    name: 'Leads',
    creates: { label: 'New lead', needs: 'lead_create', isDialog: true },
    menu: { group: 'CRM', icon: IconAddressBook, needs: 'lead_list', goKey: 'l' },
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
    menu: { group: 'CRM', icon: IconCalendarDue, needs: 'lead_list', goKey: 'f' },
    component: lazyPage(
      () => import('#features/crm/leads/page/web/queue/FollowUpsPage.tsx'),
      'FollowUpsPage',
    ),
    prepare: async () => (await import('#features/crm/leads/page/web/queue/FollowUpsPage.tsx')).prepareQueue,
  },
  {
    path: '/demo-leads/forecast',
    name: 'Forecast',
    menu: { group: 'CRM', icon: IconTrendingUp, needs: 'lead_list' },
    component: lazyPage(() => import('#features/crm/leads/forecast/web/ForecastPage.tsx'), 'ForecastPage'),
  },
  {
    path: '/demo-leads/duplicates',
    name: 'Duplicate leads',
    component: lazyPage(
      () => import('#features/crm/leads/duplicates/web/DuplicatesPage.tsx'),
      'DuplicatesPage',
    ),
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
    path: '/demo-leads/report',
    name: 'Sales report',
    menu: { group: 'CRM', icon: IconChartBar, needs: 'lead_list' },
    component: lazyPage(
      () => import('#features/crm/leads/report/web/SalesReportPage.tsx'),
      'SalesReportPage',
    ),
  },
  {
    path: '/demo-leads/$detail/$id',
    shows: { lead: '/demo-leads/$name/$id' },
    name: 'Lead details',
    component: lazyPage(() => import('#features/crm/leads/page/web/LeadPage.tsx'), 'LeadPage'),
  },
]
