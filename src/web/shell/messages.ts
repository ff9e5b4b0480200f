import { useSyncExternalStore } from 'react'

/* What the message box says. It belongs to no component, so that the route guard and a handler can use it too. */

export interface Message {
  text: string
  /** Waits for an answer: no auto-close, and a Proceed button (A §2). */
  needsConfirmation: boolean
  answer: (proceed: boolean) => void
}

export const messageBoxMs = 3000

let queue: readonly Message[] = []
const listeners = new Set<() => void>()

/** Says something in the message box, which closes itself after 3000 ms; resolves when it is closed. */
export const showMessage = (text: string): Promise<void> => enqueue(text, false).then(() => undefined)

/** Asks in the message box; true for Proceed. */
export const askToProceed = (text: string): Promise<boolean> => enqueue(text, true)

export const useMessage = (): Message | undefined => useSyncExternalStore(listenToMessages, currentMessage)

const currentMessage = (): Message | undefined => queue[0]

function listenToMessages(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function enqueue(text: string, needsConfirmation: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const message: Message = {
      text,
      needsConfirmation,
      answer: (proceed) => {
        queue = queue.filter((one) => one !== message)
        tell()
        resolve(proceed)
      },
    }
    // Saying the same thing twice at once says it once.
    if (!needsConfirmation && queue.some((one) => one.text === text)) return resolve(false)
    queue = [...queue, message]
    tell()
  })
}

function tell(): void {
  for (const listener of [...listeners]) listener()
}
