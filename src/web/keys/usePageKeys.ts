import { useEffect, useEffectEvent } from 'react'
import { isTypingOrInDialog } from '#web/keys/useRowKeys.ts'

/**
 * Registers a page's keyboard shortcuts, which work wherever the focus is, except in a field or a dialog:
 * `usePageKeys({ u: undoLast })`.
 */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !Object.hasOwn(keys, event.key) ||
      isTypingOrInDialog(event.target)
    )
      return
    event.preventDefault()
    keys[event.key]?.()
  })

  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
