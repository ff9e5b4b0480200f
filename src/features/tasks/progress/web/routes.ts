import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const progressPages: readonly Page[] = [
  {
    path: '/progress-report',
    name: 'Progress report',
    menu: { group: 'Development', icon: IconChartBar, needs: 'view_task_progress' },
    component: lazyPage(() => import('#features/tasks/progress/web/ProgressPage.tsx'), 'ProgressPage'),
  },
]
