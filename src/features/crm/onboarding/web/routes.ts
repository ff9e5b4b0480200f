import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const onboardingPages: readonly Page[] = [
  {
    path: '/on-boarding',
    name: 'Onboarding',
    component: lazyPage(() => import('#features/crm/onboarding/web/OnboardingsPage.tsx'), 'OnboardingsPage'),
    prepare: async () =>
      (await import('#features/crm/onboarding/web/OnboardingsPage.tsx')).prepareOnboardings,
  },
  {
    path: '/on-boarding/demo-leads-schedule',
    name: 'Next schedule',
    component: lazyPage(() => import('#features/crm/onboarding/web/SchedulePage.tsx'), 'SchedulePage'),
  },
  {
    path: '/on-boarding/$detail/$company/$id',
    shows: { onboarding: '/on-boarding/details/$name/$id' },
    name: 'Onboarding details',
    component: lazyPage(() => import('#features/crm/onboarding/web/OnboardingPage.tsx'), 'OnboardingPage'),
  },
]
