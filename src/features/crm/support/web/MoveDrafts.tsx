import { useEffect, useEffectEvent } from 'react'
import { replyDraft } from '#features/crm/support/reply.fields.ts'
import { noteDraft } from '#features/crm/support/web/sentReply.ts'
import { moveDraft } from '#web/form/otherDrafts.ts'
import { LoadingState } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'

interface Props {
  id: number
  into: number
  onMoved: () => void
}

/** Moves the drafts of a merged ticket, which its forms have stored when they were closed. */
export default function MoveDrafts({ id, into, onMoved }: Props) {
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
