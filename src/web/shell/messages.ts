import { useSyncExternalStore } from 'react'

/* What the message box says. It belongs to no component, so that the route guard and a handler can use it too. */

export interface Message {
  id: symbol
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

const unsaved = new Map<symbol, string>()

/** Something is typed that another product would take from the page; asked with these words first. Returns how to take it back. */
export function holdUnsaved(question: string): () => void {
  const id = Symbol(question)
  unsaved.set(id, question)
  return () => void unsaved.delete(id)
}

/** Whether what is typed may be left; true at once where nothing is. */
export async function mayLeave(): Promise<boolean> {
  const [question] = unsaved.values()
  return question === undefined || askToProceed(question)
}

export const useMessage = (): Message | undefined => useSyncExternalStore(listenToMessages, currentMessage)

const currentMessage = (): Message | undefined => queue[0]

function listenToMessages(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function enqueue(text: string, needsConfirmation: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const said = queue.find((one) => !needsConfirmation && !one.needsConfirmation && one.text === text)
    if (said) {
      // Saying the same thing twice says it once, for as long as if it were said now.
      queue = queue.map((one) => (one === said ? { ...said } : one))
      tell()
      return resolve(false)
    }
    const id = Symbol(text)
    const answer = (proceed: boolean) => {
      queue = queue.filter((one) => one.id !== id)
      tell()
      resolve(proceed)
    }
    queue = [...queue, { id, text, needsConfirmation, answer }]
    tell()
  })
}

function tell(): void {
  for (const listener of [...listeners]) listener()
}
