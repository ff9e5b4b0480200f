import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const myTaskPages: readonly Page[] = [
  {
    path: '/tasks',
    name: 'Tasks',
    component: lazyPage(() => import('#features/tasks/tasks/mine/web/MyTasksPage.tsx'), 'MyTasksPage'),
  },
]
