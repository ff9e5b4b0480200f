import type { RecordType } from '#shared/records.ts'

export interface SentReply {
  record: { type: RecordType; id: number }
  mail_id: number
  /** Name of the draft that keeps the text if its sending is undone. */
  draft: string
  values: { message: string }
  /** When the email is sent, in milliseconds. */
  until: number
}

/** The reply that was sent last. Kept outside the pages, because another record can be opened before its email is sent. */
let last: SentReply | undefined

export function noteSentReply(reply: Omit<SentReply, 'until'>, undoSeconds: number): void {
  last = { ...reply, until: Date.now() + undoSeconds * 1000 }
}

/** Forgets the reply that was sent last, if it is the one with this email: it was undone. */
export function forgetSentReply(mail_id = last?.mail_id): void {
  if (last?.mail_id === mail_id) last = undefined
}

/** Returns the reply that was sent last, while its sending can be undone. */
export const heldReply = (): SentReply | undefined =>
  last !== undefined && last.until > Date.now() ? last : undefined
