import { useEffect } from 'react'
import { isTypingAhead } from '#web/keys/typeAhead.ts'

/** Longest time between two letters of a text, in milliseconds. */
const pauseMs = 500
const texts = 'input:not([type=checkbox], [type=radio]), textarea, [contenteditable=true]'

/**
 * Ignores the letters that follow a text without a pause when its field has lost the focus, for example because the
 * next ticket opened after a reply: they are the rest of a sentence, not commands. Any other key, or a click, ends that.
 */
export function useTypingGuard(): void {
  useEffect(() => {
    let since = -Infinity
    const end = () => {
      since = -Infinity
    }
    const press = (event: KeyboardEvent) => {
      const { key, target, timeStamp } = event
      // Keys typed ahead are captured for a text that opens.
      if (key === 'Shift' || key === 'CapsLock' || isTypingAhead()) return
      if (key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return end()
      const isText = target instanceof Element && target.closest(texts) !== null
      if (!isText && timeStamp - since >= pauseMs) return
      since = timeStamp
      if (isText) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    globalThis.addEventListener('keydown', press, true)
    globalThis.addEventListener('pointerdown', end, true)
    return () => {
      globalThis.removeEventListener('keydown', press, true)
      globalThis.removeEventListener('pointerdown', end, true)
    }
  }, [])
}
