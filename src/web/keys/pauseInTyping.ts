import { isTypingOrInDialog } from '#web/keys/useRowKeys.ts'

/** How long no key is pressed in a pause, in milliseconds. */
const pause = 1000

/**
 * Resolves when the user pauses; immediately if the focus isn't in a field. A dialog that opens earlier would take
 * the rest of the word.
 */
export function pauseInTyping(): Promise<void> {
  if (!isTypingOrInDialog(document.activeElement)) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      removeEventListener('keydown', restart, true)
      resolve()
    }
    let timer = setTimeout(end, pause)
    const restart = () => {
      clearTimeout(timer)
      timer = setTimeout(end, pause)
    }
    addEventListener('keydown', restart, true)
  })
}
