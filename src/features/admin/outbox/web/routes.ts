import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const outboxPages: readonly Page[] = [
  {
    path: '/settings/outbox',
    name: 'Outbox',
    component: lazyPage(() => import('#features/admin/outbox/web/OutboxPage.tsx'), 'OutboxPage'),
  },
]
