import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs'
import { lazyPage, lazyPart } from '#web/shell/lazy.tsx'
import { onlyProductOne, type MenuParent } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const page = (name: 'MyTasksPage' | 'AssignedTasksPage') =>
  lazyPage(() => import('#features/crm/quick-tasks/web/QuickTasksPage.tsx'), name)

const quickTasks: MenuParent = {
  group: 'Work',
  label: 'Quick tasks',
  icon: IconChecklist,
  products: onlyProductOne,
}

export const quickTaskPages: readonly Page[] = [
  {
    path: '/quick-task/my-task',
    searches: async () => [(await import('#features/crm/quick-tasks/web/search.ts')).quickTaskSearch],
    name: 'My tasks',
    creates: { label: 'New quick task', isDialog: true },
    menu: { under: quickTasks, goKey: 'q' },
    panel: lazyPart(() => import('#features/crm/quick-tasks/web/QuickTasksOfRecord.tsx')),
    component: page('MyTasksPage'),
  },
  {
    path: '/quick-task/assigned-task',
    name: 'Assigned tasks',
    menu: { under: quickTasks, label: 'Created by me' },
    component: page('AssignedTasksPage'),
  },
]
