import { type MouseEvent, useEffect } from 'react'
import { Notifications, notifications } from '@mantine/notifications'
import { showToastsWith, toastMs } from '#web/message/toast.ts'
import classes from '#web/message/Toaster.module.css'

const colors = { success: 'green', failure: 'red', notice: 'accent' } as const

/**
 * Closes a toast that opens under a resting pointer in time, unless the pointer then moves: without this, the
 * toast stays open over the button that was just clicked.
 */
function closeUnderRestingPointer(id: string) {
  let timer: ReturnType<typeof setTimeout>
  return {
    onMouseEnter: ({ movementX, movementY }: MouseEvent) => {
      if (movementX === 0 && movementY === 0) timer = setTimeout(() => notifications.hide(id), toastMs)
    },
    onMouseMove: ({ movementX, movementY }: MouseEvent) => {
      if (movementX !== 0 || movementY !== 0) clearTimeout(timer)
    },
  }
}

/** The last toasts by what they are about. */
const shown = new Map<string, string>()

/**
 * Toasts: top right, 2500 ms, closable, and paused while the pointer is over one. Mantine gives each the
 * alert role.
 */
export default function Toasts() {
  useEffect(
    () =>
      showToastsWith(({ kind, message, position = 'top-right', undo, about }) => {
        const id = crypto.randomUUID()
        if (about !== undefined) {
          notifications.hide(shown.get(about) ?? '')
          shown.set(about, id)
        }
        const undoAndClose = () => {
          undo?.onUndo()
          notifications.hide(id)
        }
        notifications.show({
          id,
          position,
          color: colors[kind],
          ...closeUnderRestingPointer(id),
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
      classNames={{ root: classes.toasts }}
      position="top-right"
      autoClose={toastMs}
      pauseResetOnHover="notification"
      containerWidth={360}
      transitionDuration={120}
      zIndex={400}
    />
  )
}
