import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import { contractPages } from '#features/admin/customer-contracts/web/routes.ts'
import { listsPages } from '#features/admin/lists/web/routes.ts'
import { logPages } from '#features/admin/logs/web/routes.ts'
import { mailSettingsPages } from '#features/admin/mail-settings/web/routes.ts'
import { outboxPages } from '#features/admin/outbox/web/routes.ts'
import { settingsPages } from '#features/admin/settings/web/routes.ts'
import { staffPages } from '#features/admin/staff/web/routes.ts'
import { termsPages } from '#features/admin/terms/web/routes.ts'
import { commentPages } from '#features/cms/articles/comments/web/routes.ts'
import { faqPages } from '#features/cms/articles/faqs/web/routes.ts'
import { kindPages } from '#features/cms/articles/kinds/web/routes.tsx'
import { mediaPages } from '#features/cms/articles/media/web/routes.ts'
import { metaTagPages } from '#features/cms/articles/meta-tags/web/routes.ts'
import { blogPages } from '#features/cms/articles/posts/web/routes.ts'
import { customerViewPages } from '#features/crm/customer-view/web/routes.ts'
import { leadPages } from '#features/crm/leads/page/web/routes.ts'
import { customFieldPages } from '#features/crm/leads/custom-fields/web/routes.ts'
import { webFormPages } from '#features/crm/leads/web-form/web/routes.ts'
import { notificationPages } from '#features/crm/notifications/web/routes.ts'
import { onboardingPages } from '#features/crm/onboarding/web/routes.ts'
import { organizationPages } from '#features/crm/organizations/web/routes.ts'
import { schedulePages } from '#features/crm/schedule/web/routes.ts'
import { quickTaskPages } from '#features/crm/quick-tasks/web/routes.ts'
import { taskNoticePages } from '#features/crm/support/task-notices/web/routes.ts'
import { supportPages } from '#features/crm/support/web/routes.ts'
import { userPages } from '#features/crm/users/web/routes.ts'
import { progressPages } from '#features/tasks/progress/web/routes.ts'
import { calendarPages } from '#features/tasks/tasks/calendar/web/routes.ts'
import { myTaskPages } from '#features/tasks/tasks/mine/web/routes.ts'
import { taskPages } from '#features/tasks/tasks/web/routes.ts'
import { lazyPage } from '#web/shell/lazy.tsx'
import { blogProducts } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const icon = IconLayoutDashboard
const loadDashboard = () => import('#app/browser/DashboardPage.tsx')
const dashboard: Page = {
  path: '/dashboard',
  name: 'Dashboard',
  menu: [
    {
      group: 'CRM',
      label: 'CRM dashboard',
      search: 'view=crm',
      icon,
      hiddenFor: [0, 1, 3, 5],
      products: blogProducts,
    },
    {
      group: 'CMS',
      label: 'CMS dashboard',
      search: 'view=cms',
      icon,
      hiddenFor: [0, 1],
      products: blogProducts,
    },
    { group: 'Admin', label: 'Admin dashboard', icon, needs: 'dashboard_list' },
  ],
  component: lazyPage(loadDashboard, 'DashboardPage'),
  prepare: async () => (await loadDashboard()).prepareDashboard,
}

/**
 * The pages of all features, in the order of the sidebar (A §6). Routes, menu, command palette, links to
 * records, and panels on record pages derive from them; a new feature gets a row here. Literal segments of a
 * path take precedence over parameters, regardless of order.
 */
export const pages: readonly Page[] = [
  dashboard,
  ...leadPages,
  ...schedulePages,
  ...onboardingPages,
  ...organizationPages,
  ...userPages,
  ...customerViewPages,
  ...notificationPages,
  ...supportPages,
  ...taskNoticePages,
  ...quickTaskPages,
  ...mediaPages,
  ...blogPages,
  ...faqPages,
  ...commentPages,
  ...metaTagPages,
  ...kindPages,
  ...myTaskPages,
  ...taskPages,
  ...calendarPages,
  ...progressPages,
  ...staffPages,
  ...logPages,
  ...termsPages,
  ...contractPages,
  ...settingsPages,
  ...customFieldPages,
  ...webFormPages,
  ...listsPages,
  ...outboxPages,
  ...mailSettingsPages,
]
