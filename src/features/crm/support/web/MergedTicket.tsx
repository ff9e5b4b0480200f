import { useEffect, useEffectEvent } from 'react'
import { noteDraft, replyDraft } from '#features/crm/support/web/sentReply.ts'
import { moveDraft } from '#web/form/draft.ts'
import { LoadingState } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'

interface Props {
  id: number
  /** The ticket that stays. */
  into: number
  /** Opens the ticket that stays. */
  onMoved: () => void
}

/** Leads from a merged ticket to the one that stays, with the reply and the note that were not sent yet. */
export function MergedTicket({ id, into, onMoved }: Props) {
  const move = useEffectEvent(async () => {
    const moved = await Promise.all([
      moveDraft(replyDraft(id), replyDraft(into), 'message'),
      moveDraft(noteDraft(id), noteDraft(into), 'support_comment', '\n'),
    ])
    if (moved.includes(true)) toast.notice(`#${id} was merged into #${into}. Your text is kept as a draft.`)
    onMoved()
  })
  useEffect(() => void move(), [])
  return <LoadingState />
}
