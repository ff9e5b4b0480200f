import { useEffect } from 'react'

/** The focus in a bar that goes with the selection goes on to the table, unless it has gone elsewhere. */
export function useFocusOnTable(isShown = true): void {
  useEffect(() => {
    if (!isShown) return
    return () => {
      // After the dialogs that it opened have given the focus back, or could not.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        const target = document.querySelector<HTMLElement>('main [role=region][data-fill]') ?? document.querySelector('main')
        target?.focus({ preventScroll: true })
      })
    }
  }, [isShown])
}
