import { heldReply, type SentReply } from '#web/mail/sentReply.ts'

/** Name of the draft of an internal note. */
export const noteDraft = (ticket: number) => `ticket-comment-${ticket}`

/** Name of the draft of a reply to support, by the one who made the request. */
export const requestDraft = (ticket: number) => `request-reply-${ticket}`

/** Returns the reply that was sent last, if it was to another ticket and can still be undone. */
export function sentElsewhere(ticket: number): SentReply | undefined {
  const held = heldReply()
  return held?.record.id === ticket ? undefined : held
}
