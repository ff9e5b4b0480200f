import { useSyncExternalStore } from 'react'

/*
 * Messages for the message box. They are kept outside any component, so that the route guard and event
 * handlers can use them too.
 */

/** Options for a question, in addition to its title. */
export interface Question {
  /** What happens after Proceed is clicked, shown below the title. */
  detail?: string
  /** The record and the value in question, shown below the title. */
  about?: string
  /** Whether data would be permanently lost; if so, the safe answer gets the initial focus. */
  isRisky?: boolean
  /** Label of the button that answers yes; Proceed by default. */
  proceedLabel?: string
}

export interface Message {
  id: symbol
  text: string
  /**
   * Whether the message waits for an answer. If so, it has a Proceed button and does not close automatically
   * (A §2).
   */
  needsConfirmation: boolean
  question: Question
  answer: (proceed: boolean) => void
}

export const messageBoxMs = 3000

let queue: readonly Message[] = []
const listeners = new Set<() => void>()

/** Shows a message in the message box, which closes after 3000 ms; resolves when it is closed. */
export const showMessage = (text: string): Promise<void> => enqueue(text, false, {}).then(() => undefined)

/**
 * Asks a question in the message box; `title` is the question and names the thing it is about. Resolves to
 * true if the user clicks Proceed.
 */
export const askToProceed = (title: string, question: Question = {}): Promise<boolean> =>
  enqueue(title, true, question)

/** Asks whether to discard unsaved input. */
export const askToDiscard = (): Promise<boolean> =>
  askToProceed('Discard unsaved changes?', { detail: 'Your changes will be lost.', isRisky: true })
/**
 * Asks whether to leave a page with unsaved input, which is kept as a draft.
 * @param losesFiles whether files that aren't uploaded yet would be lost
 */
export const askToLeave = (losesFiles = false): Promise<boolean> =>
  askToProceed('Leave this page?', {
    detail: losesFiles
      ? 'Your changes are kept as a draft, but files that aren’t uploaded will be lost.'
      : 'Your changes are kept as a draft.',
    isRisky: true,
  })

/** Asks whether to save a form, or to send it, without files that were not uploaded. */
export const askToLeaveOut = (names: readonly string[], verb: string): Promise<boolean> => {
  const isOne = names.length === 1
  return askToProceed(`${verb} without ${isOne ? `“${names[0]}”` : `${names.length} files`}?`, {
    detail: isOne ? 'This file wasn’t uploaded.' : `These files weren’t uploaded: ${names.join(', ')}.`,
    isRisky: true,
    proceedLabel: `${verb} without ${isOne ? 'it' : 'them'}`,
  })
}

const held = new Set<symbol>()

/**
 * Marks unsaved input that switching products would remove from the page; returns a function that removes the
 * mark.
 */
export function markUnsaved(): () => void {
  const id = Symbol('unsaved')
  held.add(id)
  return () => void held.delete(id)
}

/** Resolves to whether unsaved input may be discarded; resolves to true immediately if there is none. */
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
      // A repeated message is shown only once, and its timer restarts.
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
