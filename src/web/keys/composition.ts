/**
 * Keeps keys from acting while a word is being composed, as in Japanese, Chinese, or Korean: there, Enter
 * confirms the word. Safari ends the composition before it sends that Enter, which then has the key code 229.
 * Called before anything else listens for keys, so that no handler has to ask.
 */
export function ignoreKeysOfCompositions(target: EventTarget = window): void {
  target.addEventListener(
    'keydown',
    (event) => {
      const { isComposing, keyCode } = event as KeyboardEvent
      if (isComposing || keyCode === 229) event.stopImmediatePropagation()
    },
    { capture: true },
  )
}
