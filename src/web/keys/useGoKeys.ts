import { useEffect, useEffectEvent } from 'react'
import { isTypingOrInDialog } from '#web/keys/useRowKeys.ts'

/** Time for the second key. */
const waitMs = 1500

/** Opens a page with G and then its letter, wherever the focus is, except in a field or a dialog. */
export function useGoKeys(pageOf: (letter: string) => string | undefined, onGo: (to: string) => void): void {
  const go = useEffectEvent((letter: string): boolean => {
    const to = pageOf(letter)
    if (to === undefined) return false
    onGo(to)
    return true
  })
  useEffect(() => {
    let since = -Infinity
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event
      const isSecond = timeStamp - since < waitMs
      since = -Infinity
      if (ctrlKey || metaKey || altKey || isTypingOrInDialog(event.target)) return
      if (isSecond && key.length === 1 && go(key.toLowerCase())) {
        // Lists have the same keys.
        event.preventDefault()
        event.stopImmediatePropagation()
      } else if (key === 'g') since = timeStamp
    }
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [])
}
