/*
 * Keys typed while something that the user opened is still loading are meant for what is being opened, not
 * for the page still in the foreground, where a letter could change a record.
 */

let typed: string | undefined

/** Captures keystrokes instead of passing them to the page, until `endTypeAhead`, Escape, Tab, or a click. */
export function beginTypeAhead(): void {
  if (typed !== undefined) return
  typed = ''
  globalThis.addEventListener('keydown', take, true)
  globalThis.addEventListener('pointerdown', endTypeAhead, true)
}

/** Whether keystrokes are being captured. */
export const isTypingAhead = (): boolean => typed !== undefined

/** Stops capturing keystrokes; returns what was typed. */
export function endTypeAhead(): string {
  const text = typed ?? ''
  typed = undefined
  globalThis.removeEventListener('keydown', take, true)
  globalThis.removeEventListener('pointerdown', endTypeAhead, true)
  return text
}

function take(event: KeyboardEvent): void {
  const isShortcut =
    event.metaKey || (event.ctrlKey || event.altKey ? !event.getModifierState('AltGraph') : false)
  if (isShortcut) return
  if (event.key === 'Escape' || event.key === 'Tab') {
    endTypeAhead()
    return
  }
  event.preventDefault()
  event.stopImmediatePropagation()
  if (event.key === 'Backspace') typed = typed?.slice(0, -1)
  else if (event.key.length === 1) typed += event.key
}
