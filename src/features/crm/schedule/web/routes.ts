import IconCalendarTime from '@tabler/icons-react/dist/esm/icons/IconCalendarTime.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

const loadSchedule = () => import('#features/crm/schedule/web/SchedulePage.tsx')

export const schedulePages: readonly Page[] = [
  {
    path: '/demo-leads/demo-leads-schedule',
    name: 'Next schedule',
    menu: { group: 'CRM', label: 'Schedule', icon: IconCalendarTime, needs: 'lead_list' },
    component: lazyPage(loadSchedule, 'LeadSchedulePage'),
  },
  {
    path: '/on-boarding/demo-leads-schedule',
    name: 'Next schedule',
    component: lazyPage(loadSchedule, 'OnboardingSchedulePage'),
  },
]
