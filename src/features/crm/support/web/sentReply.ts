/** Name of the draft of an internal note. */
export const noteDraft = (ticket: number) => `ticket-comment-${ticket}`

/** Name of the draft of a reply to support, by the one who made the request. */
export const requestDraft = (ticket: number) => `request-reply-${ticket}`

export interface SentReply {
  ticket: number
  mail_id: number
  values: { message: string }
  /** When the email is sent, in milliseconds. */
  until: number
}

/** The reply that was sent last. Kept outside the pages, because "Send and next" opens another ticket. */
let last: SentReply | undefined

export function noteSentReply(reply: Omit<SentReply, 'until'>, undoSeconds: number): void {
  last = { ...reply, until: Date.now() + undoSeconds * 1000 }
}

/** Returns the reply that was sent last, if it was to another ticket. */
export const sentElsewhere = (ticket: number): SentReply | undefined =>
  last?.ticket === ticket ? undefined : last
