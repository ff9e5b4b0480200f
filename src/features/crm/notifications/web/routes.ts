import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne, type MenuParent } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const notifications: MenuParent = {
  group: 'CRM',
  label: 'Notifications',
  icon: IconSend,
  needs: 'notifications_view',
  products: onlyProductOne,
}

export const notificationPages: readonly Page[] = [
  {
    path: '/notifications/new',
    name: 'Send notification',
    menu: { under: notifications, needs: 'send_new_list' },
    component: lazyPage(
      () => import('#features/crm/notifications/web/NotificationForm.tsx'),
      'NewNotificationPage',
    ),
  },
  {
    path: '/notifications',
    name: 'Notifications',
    menu: { under: notifications, label: 'All notifications', needs: 'all_notifications_list' },
    component: lazyPage(
      () => import('#features/crm/notifications/web/NotificationsPage.tsx'),
      'NotificationsPage',
    ),
    prepare: async () =>
      (await import('#features/crm/notifications/web/NotificationsPage.tsx')).prepareNotifications,
  },
  {
    path: '/notifications/update-notification/$notification',
    name: 'Update a notification',
    component: lazyPage(
      () => import('#features/crm/notifications/web/NotificationForm.tsx'),
      'NotificationPage',
    ),
  },
]
