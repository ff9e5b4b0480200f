import IconRocket from '@tabler/icons-react/dist/esm/icons/IconRocket.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

export const onboardingPages: readonly Page[] = [
  {
    path: '/on-boarding',
    name: 'Onboarding',
    menu: { group: 'CRM', icon: IconRocket, needs: 'onboarding_list', products: onlyProductOne },
    component: lazyPage(() => import('#features/crm/onboarding/web/OnboardingsPage.tsx'), 'OnboardingsPage'),
    prepare: async () =>
      (await import('#features/crm/onboarding/web/OnboardingsPage.tsx')).prepareOnboardings,
  },
  {
    path: '/on-boarding/$detail/$company/$id',
    shows: { onboarding: '/on-boarding/details/$name/$id' },
    name: 'Onboarding details',
    component: lazyPage(() => import('#features/crm/onboarding/web/OnboardingPage.tsx'), 'OnboardingPage'),
  },
]
