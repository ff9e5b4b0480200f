import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs'
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import IconPalette from '@tabler/icons-react/dist/esm/icons/IconPalette.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

const load = () => import('#features/tasks/tasks/web/TasksPage.tsx')
const prepareDevelopment = async () => (await load()).prepareDevelopment
const prepareDesigner = async () => (await load()).prepareDesigner

export const taskPages: readonly Page[] = [
  {
    path: '/common/development/task',
    name: 'Development tasks',
    menu: { group: 'Development', label: 'All development tasks', icon: IconCode, needs: 'development_all' },
    component: lazyPage(load, 'DevelopmentTasksPage'),
    prepare: prepareDevelopment,
  },
  {
    path: '/development-tasks',
    searches: async () => (await import('#features/tasks/tasks/web/search.ts')).taskSearches,
    shows: { task: '/development-tasks?task=$id' },
    name: 'Development tasks',
    creates: { label: 'New development task', needs: 'add_task', isDialog: true },
    menu: { group: 'Development', icon: IconChecklist, needs: 'task_list' },
    component: lazyPage(load, 'DevelopmentTasksPage'),
    prepare: prepareDevelopment,
  },
  {
    path: '/common/development/task/$task_type',
    name: 'Development tasks by type',
    component: lazyPage(load, 'DevelopmentTypePage'),
  },
  {
    path: '/designer-tasks',
    shows: { designer_task: '/designer-tasks?task=$id' },
    name: 'Designer tasks',
    creates: { label: 'New designer task', needs: 'designer_add_task', isDialog: true },
    menu: { group: 'Designer', icon: IconPalette, needs: 'designer_task_list' },
    component: lazyPage(load, 'DesignerTasksPage'),
    prepare: prepareDesigner,
  },
  {
    path: '/common/designer/task',
    name: 'Designer tasks',
    component: lazyPage(load, 'DesignerTasksPage'),
    prepare: prepareDesigner,
  },
  {
    path: '/common/designer/task/$task_type',
    name: 'Designer tasks by type',
    component: lazyPage(load, 'DesignerTypePage'),
  },
]
