import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

const page = (name: 'MyTasksPage' | 'AssignedTasksPage') =>
  lazyPage(() => import('#features/crm/quick-tasks/web/QuickTasksPage.tsx'), name)

export const quickTaskPages: readonly Page[] = [
  {
    path: '/quick-task/my-task',
    searches: async () => [(await import('#features/crm/quick-tasks/web/search.ts')).quickTaskSearch],
    name: 'My tasks',
    component: page('MyTasksPage'),
  },
  { path: '/quick-task/assigned-task', name: 'Assigned tasks', component: page('AssignedTasksPage') },
]
