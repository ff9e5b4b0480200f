import IconMailCog from '@tabler/icons-react/dist/esm/icons/IconMailCog.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const mailSettingsPages: readonly Page[] = [
  {
    path: '/settings/mail',
    name: 'Email',
    // Our own addition, so the specification names no permission for it.
    menu: { group: 'Admin', icon: IconMailCog, onlyFor: [0, 1] },
    settingsTabs: [['/settings/mail', 'Email']],
    component: lazyPage(() => import('#features/admin/mail-settings/web/SendersPage.tsx'), 'SendersPage'),
  },
  {
    path: '/settings/mail/templates',
    name: 'Email templates',
    component: lazyPage(() => import('#features/admin/mail-settings/web/TemplatesPage.tsx'), 'TemplatesPage'),
  },
  {
    path: '/settings/mail/mailboxes',
    name: 'Mailboxes',
    component: lazyPage(() => import('#features/admin/mail-settings/web/MailboxesPage.tsx'), 'MailboxesPage'),
  },
  {
    path: '/settings/mail/bounces',
    name: 'Bounces',
    component: lazyPage(() => import('#features/admin/mail-settings/web/BouncesPage.tsx'), 'BouncesPage'),
  },
]
