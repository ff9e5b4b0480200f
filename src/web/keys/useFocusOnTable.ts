import { useEffect } from 'react'

/** Moves the focus from a bar that disappears with the selection to the table, unless it has gone elsewhere. */
export function useFocusOnTable(isShown = true): void {
  useEffect(() => {
    if (!isShown) return
    return () => {
      // After the dialogs that it opened have returned the focus, or could not.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        const target =
          document.querySelector<HTMLElement>('main [role=region][data-fill]') ??
          document.querySelector('main')
        target?.focus({ preventScroll: true })
      })
    }
  }, [isShown])
}
