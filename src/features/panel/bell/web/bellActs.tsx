import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { Button, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Reply } from '#shared/endpoint.ts'
import { tickets } from '#features/crm/support/contract.ts'
import { conversation } from '#features/crm/support/conversation.contract.ts'
import { taskNotices } from '#features/crm/support/task-notices/contract.ts'
import { anyTask, tasks } from '#features/tasks/tasks/contract.ts'
import classes from '#features/panel/bell/web/bell.module.css'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'
import { useUndo } from '#web/record/useUndo.ts'

export type UnreadTicket = Reply<typeof tickets.unread>['unread_tickets'][number]
export type WaitingTask = Reply<typeof anyTask.unnotified>['tasks'][number]

/** Replies that were typed but not sent, by ticket, because the panel closes on any click outside. */
const unsent = new Map<number, string>()

/** Returns whether the viewer can reply to a ticket, and the text that was left in its field. */
export function useReplyHere({ st_id }: UnreadTicket) {
  const may = useMay(conversation.sendReply, { params: { id: st_id }, body: { message: '' } })
  const [isOpen, setOpen] = useState(unsent.has(st_id))
  return { may, isOpen: may && isOpen, setOpen }
}

/** Field for a short reply to a ticket, in its row. */
export function ReplyHere({ ticket, onClose }: { ticket: UnreadTicket; onClose: () => void }) {
  const { id, st_id, title, organization_id } = ticket
  const [text, setText] = useState(unsent.get(st_id) ?? '')
  const [failure, setFailure] = useState<string>()
  const { send, sending } = useSend(conversation.sendReply, {
    failure: 'throw',
  })
  const type = (typed: string) => {
    setText(typed)
    if (typed) unsent.set(st_id, typed)
    else unsent.delete(st_id)
  }
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (text.trim() === '') return setFailure('This field is required.')
    setFailure(undefined)
    try {
      const body = { message: htmlOf(text), org_id: organization_id, last_message_id: id }
      const reply = await send({ params: { id: st_id }, body })
      if (!reply) return
      unsent.delete(st_id)
      toast.success(reply.data.mail_id === null ? 'Reply saved. No email was sent.' : reply.message)
      onClose()
    } catch (error) {
      const isLate = error instanceof ApiError && error.status === 409
      setFailure(
        isLate ? `${errorMessageOf(error)} Open the ticket to read what’s new.` : errorMessageOf(error),
      )
    }
  }
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    // The arrow keys and letters belong to the text.
    event.stopPropagation()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
  }
  return (
    <form className={classes.reply} onSubmit={(event) => void submit(event)} onKeyDown={press}>
      <Textarea
        aria-label={`Reply to ${title}`}
        placeholder="Write a reply to the customer"
        autoFocus
        autosize
        minRows={2}
        maxRows={8}
        maxLength={20_000}
        value={text}
        error={failure}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <span className={classes.send}>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            unsent.delete(st_id)
            onClose()
          }}
        >
          Discard
        </Button>
        <Button type="submit" size="compact-sm" loading={sending} title="Ctrl+Enter">
          Send
        </Button>
      </span>
    </form>
  )
}

/** Returns plain text as HTML, with a paragraph per line. */
function htmlOf(text: string): string {
  return text
    .trim()
    .split(/\n+/)
    .map((line) => {
      const paragraph = document.createElement('p')
      paragraph.textContent = line
      return paragraph.outerHTML
    })
    .join('')
}

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
