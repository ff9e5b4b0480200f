import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Reply } from '#shared/endpoint.ts'
import { tickets } from '#features/crm/support/contract.ts'
import { conversation } from '#features/crm/support/conversation.contract.ts'
import { emptyReply, replyDraft, replyText } from '#features/crm/support/reply.fields.ts'
import { taskNotices } from '#features/crm/support/task-notices/contract.ts'
import { anyTask, tasks } from '#features/tasks/tasks/contract.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { readDraft } from '#web/form/draft.ts'
import { useUndo } from '#web/record/useUndo.ts'

export type UnreadTicket = Reply<typeof tickets.unread>['unread_tickets'][number]
export type WaitingTask = Reply<typeof anyTask.unnotified>['tasks'][number]

/**
 * Returns how a ticket can be answered from the bell: `here`, or on its page (`there`) if a reply was begun there
 * with more than a text and files, which the bell doesn't show; and whether a reply was begun.
 */
export function useWayToReply({ st_id }: UnreadTicket) {
  const may = useMay(conversation.sendReply, { params: { id: st_id }, body: { message: '' } })
  const draft = readDraft(replyDraft(st_id))
  const isShort = !draft?.onServer && Object.keys(draft?.values ?? {}).every((field) => shownHere.has(field))
  return { way: may ? (isShort ? 'here' : 'there') : undefined, isBegun: draft !== undefined } as const
}

const shownHere: ReadonlySet<string> = new Set(
  Object.keys(replyText({ ...emptyReply, saved_reply_ids: [0] })),
)

/**
 * Button for notifying the customers of a task: it leads to a message to each of them or, if no ticket is linked to the
 * task, marks them as notified.
 */
export function NotifyHere({ task }: { task: WaitingTask }) {
  const { id, title } = task
  const navigate = useNavigate()
  const mayWrite = useMay(taskNotices.show, { params: { task: id } })
  if (!task.has_ticket || !mayWrite) return <MarkHere task={task} />
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Notify customer: ${title}`}
      title="Write a message to each customer"
      onClick={() => void navigate({ to: `/support/notify/${id}` })}
    >
      Notify customer
    </Button>
  )
}

/** Button that marks the customers of a task as notified. */
function MarkHere({ task: { id, discipline, title } }: { task: WaitingTask }) {
  const { notificationStatus } = tasks[discipline]
  const { announceAct } = useUndo()
  const { send, sending } = useSend(notificationStatus, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  if (!useMay(notificationStatus, { params: { id } })) return null
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={sending}
      aria-label={`Mark as notified: ${title}`}
      title="No email is sent."
      onClick={() => void send({ params: { id } })}
    >
      Mark as notified
    </Button>
  )
}
