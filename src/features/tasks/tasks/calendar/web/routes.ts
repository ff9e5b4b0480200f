import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

const load = () => import('#features/tasks/tasks/calendar/web/CalendarPage.tsx')

export const calendarPages: readonly Page[] = [
  {
    path: '/development-tasks/schedular',
    name: 'Delivery calendar',
    component: lazyPage(load, 'DevelopmentCalendarPage'),
  },
  {
    path: '/designer-tasks/designerschedular',
    name: 'Delivery calendar',
    component: lazyPage(load, 'DesignerCalendarPage'),
  },
]
