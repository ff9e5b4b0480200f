import { Button } from '@mantine/core'
import { unsorted } from '#features/crm/emails/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { leftOutText } from '#features/crm/support/web/answers/answerWords.ts'
import { useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'

interface Props {
  ids: readonly number[]
  /** Whether they were sorted, and can only be returned. */
  isSorted: boolean
  onDone: () => void
}

/** Sorts the selected emails, creates a ticket for each, or returns them to Unsorted. */
export default function SettleEmails({ ids, isSorted, onDone }: Props) {
  const undoing = useSend(unsorted.undoMany, {
    onDone: ({ message, left_out }) => toast.success(message + leftOutText(left_out)),
  })
  const onSorted = ({ message, data, left_out }: Reply<typeof unsorted.settleMany>) =>
    toast.success(message + leftOutText(left_out), {
      undo: { label: 'Undo', onUndo: () => void undoing.send({ body: { ids: data } }) },
    })
  const settling = useSend(unsorted.settleMany, { onDone: onSorted })
  const filing = useSend(unsorted.fileMany, { onDone: onSorted })
  const loading = undoing.sending || settling.sending || filing.sending
  const settle = async (state: 'spam' | 'done') => {
    if (await settling.send({ body: { ids: [...ids], state } })) onDone()
  }
  const file = async () => {
    if (await filing.send({ body: { ids: [...ids] } })) onDone()
  }
  const giveBack = async () => {
    if (await undoing.send({ body: { ids: [...ids] } })) onDone()
  }
  if (isSorted)
    return (
      <Button size="compact-xs" variant="default" loading={loading} onClick={() => void giveBack()}>
        Return to Unsorted
      </Button>
    )
  return (
    <>
      <Button size="compact-xs" variant="default" loading={loading} onClick={() => void file()}>
        {ids.length === 1 ? 'New ticket' : 'New ticket for each'}
      </Button>
      <Button size="compact-xs" variant="default" loading={loading} onClick={() => void settle('spam')}>
        Spam
      </Button>
      <Button size="compact-xs" variant="default" loading={loading} onClick={() => void settle('done')}>
        No reply needed
      </Button>
    </>
  )
}
