import { dropDraft, keepDraft, readDraft, tellSaved, whenSaved } from '#web/form/draft.ts'

/** A message that the server has not yet accepted. */
export interface Unsent {
  /** Identifies a message that is sent again because the response was lost. */
  client_id: string
  text: string
}

const draftName = 'chat-unsent'
const onTheirWay = new Set<string>()

/**
 * Returns the viewer's messages that the server has not accepted, including those written before the panel or
 * the tab was closed.
 */
export function readUnsent(): readonly Unsent[] {
  const kept = readDraft(draftName)?.values['messages']
  return Array.isArray(kept) ? kept.filter(isUnsent) : []
}

/**
 * Reports whether this tab is sending the message, even if the panel it was sent from has since been closed.
 */
export const isInFlight = (client_id: string): boolean => onTheirWay.has(client_id)

/** Keeps a message in storage until it is delivered. */
export async function keepUntilDelivered<T>(message: Unsent, deliver: () => Promise<T>): Promise<T> {
  storeUnsent([
    ...readUnsent().filter(({ client_id }) => client_id !== message.client_id),
    { client_id: message.client_id, text: message.text },
  ])
  onTheirWay.add(message.client_id)
  try {
    const answer = await deliver()
    forget(message)
    return answer
  } finally {
    onTheirWay.delete(message.client_id)
    tellSaved(draftName, { client_id: message.client_id })
  }
}

export const forget = (message: Unsent): void =>
  storeUnsent(readUnsent().filter(({ client_id }) => client_id !== message.client_id))

/**
 * Calls `told` whenever a message is delivered or fails, regardless of where it was sent from. Returns a
 * function that unsubscribes.
 */
export const subscribeToDelivery = (told: (client_id: string) => void): (() => void) =>
  whenSaved(draftName, (tried) => told((tried as Unsent).client_id))

// Call this synchronously after reading the messages, because another tab can store unsent messages too.
function storeUnsent(messages: readonly Unsent[]): void {
  if (messages.length === 0) dropDraft(draftName)
  else keepDraft(draftName, { messages }, {})
}

const isUnsent = (one: unknown): one is Unsent =>
  typeof one === 'object' &&
  one !== null &&
  'client_id' in one &&
  typeof one.client_id === 'string' &&
  'text' in one &&
  typeof one.text === 'string'
