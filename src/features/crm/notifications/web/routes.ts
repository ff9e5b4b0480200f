import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

export const notificationPages: readonly Page[] = [
  {
    path: '/notifications',
    name: 'Notifications',
    component: lazyPage(
      () => import('#features/crm/notifications/web/NotificationsPage.tsx'),
      'NotificationsPage',
    ),
    prepare: async () =>
      (await import('#features/crm/notifications/web/NotificationsPage.tsx')).prepareNotifications,
  },
  {
    path: '/notifications/new',
    name: 'Send notification',
    component: lazyPage(
      () => import('#features/crm/notifications/web/NotificationForm.tsx'),
      'NewNotificationPage',
    ),
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
