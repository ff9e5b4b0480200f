import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const progressPages: readonly Page[] = [
  {
    path: '/progress-report',
    name: 'Progress report',
    component: lazyPage(() => import('#features/tasks/progress/web/ProgressPage.tsx'), 'ProgressPage'),
  },
]
