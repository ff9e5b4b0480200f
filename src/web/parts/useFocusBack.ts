import { useLayoutEffect } from 'react'

/** Last focused element of the page itself, outside dialogs and menus. */
let lastOnPage: Element | undefined
globalThis.addEventListener?.('focusin', ({ target }) => {
  if (target instanceof Element && !target.closest('#overlays, [role=dialog], [popover]')) lastOnPage = target
})

/**
 * When a dialog closes, moves focus back to where it was before the dialog opened, immediately: a key that is pressed
 * before the next frame would be lost. Mantine does this for dialogs that stay mounted and are only hidden; ours load
 * their code and mount when they open.
 */
export function useFocusBack(): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    const onPage = lastOnPage
    return () => {
      // Runs when the dialog is gone. Leave the focus alone if something else took it on purpose.
      queueMicrotask(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        // If the dialog was opened from another dialog or a menu, the element that had the focus is gone by
        // now.
        const target = before?.isConnected && before !== document.body ? before : onPage
        if (isLost && target instanceof HTMLElement && target.isConnected)
          target.focus({ preventScroll: true })
      })
    }
  }, [])
}
