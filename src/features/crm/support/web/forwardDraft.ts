import type { TicketForward } from '#features/crm/support/ticket-forward.contract.ts'
import { restoreDraft } from '#web/form/otherDrafts.ts'

/** Name of the draft of forwarding a message. */
export const forwardDraft = (message: number) => `ticket-forward-${message}`

export interface ForwardValues {
  to: string[]
  content: string
  file_ids: number[]
}

/** Keeps a forwarded message whose sending was undone for its form. */
export function restoreForward({ message_id, recipients, content, attachments }: TicketForward): void {
  const values: ForwardValues = {
    to: recipients.map(({ address }) => address),
    content,
    file_ids: attachments.map(({ id }) => id),
  }
  restoreDraft(forwardDraft(message_id), values)
}
