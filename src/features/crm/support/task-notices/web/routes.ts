import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const taskNoticePages: readonly Page[] = [
  {
    path: '/support/notify/$task',
    name: 'Notify customers',
    component: lazyPage(
      () => import('#features/crm/support/task-notices/web/TaskNoticesPage.tsx'),
      'TaskNoticesPage',
    ),
  },
]
