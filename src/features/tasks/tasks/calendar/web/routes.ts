import IconCalendarTime from '@tabler/icons-react/dist/esm/icons/IconCalendarTime.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

const load = () => import('#features/tasks/tasks/calendar/web/CalendarPage.tsx')

export const calendarPages: readonly Page[] = [
  {
    path: '/development-tasks/schedular',
    name: 'Delivery calendar',
    menu: { group: 'Development', icon: IconCalendarTime, needs: 'view_delivery_calendar' },
    component: lazyPage(load, 'DevelopmentCalendarPage'),
  },
  {
    path: '/designer-tasks/designerschedular',
    name: 'Delivery calendar',
    menu: {
      group: 'Designer',
      label: 'Designer calendar',
      icon: IconCalendarTime,
      needs: 'designer_view_delivery_calendar',
    },
    component: lazyPage(load, 'DesignerCalendarPage'),
  },
]
