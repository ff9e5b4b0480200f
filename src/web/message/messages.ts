import { useSyncExternalStore } from 'react'

/* What the message box says. It belongs to no component, so that the route guard and a handler can use it too. */

/** How a question is put, besides its text. */
export interface Question {
  /** Which record it is about, and to what value: below the text. */
  about?: string
  /** The words of the answers; Cancel and Proceed where they are not said. */
  no?: string
  yes?: string
  /** What is lost cannot be had again: the safe answer has the focus. */
  isRisky?: boolean
}

export interface Message {
  id: symbol
  text: string
  /** Waits for an answer: no auto-close, and a Proceed button (A §2). */
  needsConfirmation: boolean
  question: Question
  answer: (proceed: boolean) => void
}

export const messageBoxMs = 3000

let queue: readonly Message[] = []
const listeners = new Set<() => void>()

/** Says something in the message box, which closes itself after 3000 ms; resolves when it is closed. */
export const showMessage = (text: string): Promise<void> => enqueue(text, false, {}).then(() => undefined)

/** Asks in the message box; true for Proceed. */
export const askToProceed = (text: string, question: Question = {}): Promise<boolean> => enqueue(text, true, question)

const unsaved = 'What you typed is not saved.'
/** May what was typed be thrown away? */
export const askToDiscard = (): Promise<boolean> => askToProceed(unsaved, { no: 'Keep editing', yes: 'Discard', isRisky: true })
/** May a page with something typed be left? A draft of it stays. */
export const askToLeave = (): Promise<boolean> => askToProceed(`${unsaved} Leave without saving?`, { no: 'Keep editing', yes: 'Leave', isRisky: true })

const held = new Set<symbol>()

/** Something is typed that another product would take from the page. Returns how to take it back. */
export function holdUnsaved(): () => void {
  const id = Symbol('unsaved')
  held.add(id)
  return () => void held.delete(id)
}

/** Whether what is typed may be left; true at once where nothing is. */
export const mayLeave = async (): Promise<boolean> => held.size === 0 || askToLeave()

export const useMessage = (): Message | undefined => useSyncExternalStore(listenToMessages, currentMessage)

const currentMessage = (): Message | undefined => queue[0]

function listenToMessages(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function enqueue(text: string, needsConfirmation: boolean, question: Question): Promise<boolean> {
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
    queue = [...queue, { id, text, needsConfirmation, question, answer }]
    tell()
  })
}

function tell(): void {
  for (const listener of [...listeners]) listener()
}
