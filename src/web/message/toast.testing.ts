import { notifications } from '@mantine/notifications'
import { showToastsWith } from '#web/message/toast.ts'

/**
 * Removes the toasts of earlier tests, shown or still waiting: the files of a worker share them. To be called
 * before the page is rendered.
 */
export function forgetToasts(): void {
  notifications.clean()
  showToastsWith(() => {})()
}
