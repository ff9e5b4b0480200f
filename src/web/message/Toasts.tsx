import { useEffect } from 'react'
import { Notifications, notifications } from '@mantine/notifications'
import { showToastsWith, toastMs } from '#web/message/toast.ts'
import classes from '#web/message/Toaster.module.css'

const colors = { success: 'green', failure: 'red', notice: 'accent' } as const

/**
 * Toasts: top right, 2500 ms, closable, and paused while the pointer is over one. Mantine gives each the
 * alert role.
 */
export default function Toasts() {
  useEffect(
    () =>
      showToastsWith(({ kind, message, position = 'top-right', undo }) => {
        const id = crypto.randomUUID()
        const undoAndClose = () => {
          undo?.onUndo()
          notifications.hide(id)
        }
        notifications.show({
          id,
          position,
          color: colors[kind],
          closeButtonProps: { 'aria-label': 'Close message' },
          message: undo ? (
            <span className={classes.withUndo}>
              {message}
              <button type="button" className={classes.undo} onClick={undoAndClose}>
                {undo.label}
              </button>
            </span>
          ) : (
            message
          ),
        })
      }),
    [],
  )
  return (
    <Notifications
      position="top-right"
      autoClose={toastMs}
      pauseResetOnHover="notification"
      containerWidth={360}
      transitionDuration={120}
      zIndex={400}
    />
  )
}
