/** The form of a reply to a ticket, with which its page and the bell continue the same draft. */
export const emptyReply = {
  message: '',
  file_ids: [] as number[],
  /** Null for those who get a copy by default. */
  cc: null as string[] | null,
  saved_reply_ids: [] as number[],
  status: '',
  assignee_id: '',
  add_trello: false,
  customer_feedback: false,
}

export type ReplyValues = typeof emptyReply

/** Name of the draft of a reply. */
export const replyDraft = (ticket: number) => `ticket-reply-${ticket}`

/** Returns the ticket of a reply and its draft, which gets the text back if the sending is undone. */
export const sentTo = (ticket: number) =>
  ({ record: { type: 'ticket', id: ticket }, draft: replyDraft(ticket) }) as const

/** Returns the text and the files of a reply as they are sent. */
export const replyText = ({
  message,
  file_ids,
  saved_reply_ids,
}: Pick<ReplyValues, 'message' | 'file_ids' | 'saved_reply_ids'>) => ({
  message,
  file_ids,
  ...(saved_reply_ids.length > 0 ? { saved_reply_ids } : {}),
})
