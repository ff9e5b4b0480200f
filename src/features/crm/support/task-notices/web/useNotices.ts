import { useRef } from 'react'
import { mails } from '#shared/mails.ts'
import {
  taskNotices,
  type TaskCustomer,
  type TaskNotices,
} from '#features/crm/support/task-notices/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { keepDraft } from '#web/form/draft.ts'
import { toast } from '#web/message/toast.ts'

/** Name of the draft of a message. */
export const messageDraft = (task: number, ticket: number) => `task-notice-${task}-${ticket}`

export interface MessageValues {
  message: string
  file_ids: number[]
  /** Whether the ticket is set to Closed. */
  closes: boolean
}

/** Returns the customer whom the viewer sent a message or skipped last, if it can be undone. */
const lastOf = (customers: readonly TaskCustomer[]): TaskCustomer | undefined =>
  customers
    .filter(
      ({ notice }) =>
        notice?.is_own &&
        notice.sent_in === null &&
        (notice.state === 'skipped' || typeof notice.mail?.undo_seconds === 'number'),
    )
    .toSorted((a, b) => b.notice!.at.localeCompare(a.notice!.at))[0]

/**
 * Returns the last act of the viewer on a task's customers with the function that undoes it; a message that is undone
 * is in its form again.
 */
export function useUndoLast(notices: TaskNotices, onUndone: (ticket: number) => void) {
  const sent = useRef(new Map<number, MessageValues>())
  const last = lastOf(notices.customers)
  const { send: undoSkip } = useSend(taskNotices.undo)
  const { send: callOff } = useSend(mails.callOff)
  async function undo(): Promise<void> {
    if (!last?.notice) return
    const { ticket_id: ticket, requester, notice } = last
    const reply = notice.mail
      ? await callOff({ params: { id: notice.mail.id } })
      : await undoSkip({ params: { task: notices.id, ticket } })
    // What failed was shown.
    if (!reply) return
    const values = sent.current.get(ticket)
    if (notice.mail && values) keepDraft(messageDraft(notices.id, ticket), values, {})
    toast.notice(notice.mail ? `Message to ${requester} canceled.` : reply.message)
    onUndone(ticket)
  }
  return {
    last,
    undo: () => void undo(),
    noteSent: (ticket: number, values: MessageValues) => void sent.current.set(ticket, values),
  }
}
