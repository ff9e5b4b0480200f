import { useEffect } from 'react'

/**
 * Gives the focus back to where it was when a dialog goes. Mantine does so for dialogs that stay mounted and turn invisible;
 * ours are mounted when they open, with their code.
 */
export function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      // After the dialog's own clean-up; something else may have taken the focus on purpose.
      requestAnimationFrame(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
      })
    }
  }, [])
}
