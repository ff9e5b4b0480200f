import IconMailForward from '@tabler/icons-react/dist/esm/icons/IconMailForward.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const outboxPages: readonly Page[] = [
  {
    path: '/settings/outbox',
    name: 'Outbox',
    // Our own addition, so the specification names no permission for it.
    menu: { group: 'Admin', icon: IconMailForward, onlyFor: [0, 1] },
    settingsTabs: [['/settings/outbox', 'Outbox']],
    component: lazyPage(() => import('#features/admin/outbox/web/OutboxPage.tsx'), 'OutboxPage'),
  },
]
