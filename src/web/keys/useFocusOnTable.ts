import { useEffect } from 'react'

/**
 * Moves the focus to the table when a bulk action bar disappears with the selection, unless the focus has
 * already moved elsewhere.
 */
export function useFocusOnTable(isShown = true): void {
  useEffect(() => {
    if (!isShown) return
    return () => {
      // Wait until dialogs opened from the bar have restored the focus, or failed to.
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
