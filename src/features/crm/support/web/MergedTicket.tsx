import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { Ticket } from '#features/crm/support/contract.ts'
import { noteDraft, replyDraft } from '#features/crm/support/web/sentReply.ts'
import { useFollowWriting } from '#web/composer/nextComposer.ts'
import { moveDraft } from '#web/form/otherDrafts.ts'
import { pauseInTyping } from '#web/keys/pauseInTyping.ts'
import { LoadingState } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'

interface Props {
  ticket: Ticket
  /** Opens the ticket that stays. */
  onMoved: (into: number) => void
  children: ReactNode
}

/**
 * Shows a ticket; when it is merged, leads to the one that stays, with the reply and the note that were not sent
 * yet. Someone who is typing goes on in the other ticket's composer after the next pause.
 */
export function MergedTicket({ ticket: { id, merged_into: into }, onMoved, children }: Props) {
  const [leftFor, setLeftFor] = useState(into)
  const [writing, setWriting] = useState<string>()
  const { holdKeys, goOn } = useFollowWriting()
  const leave = useEffectEvent(() => {
    setWriting(holdKeys())
    setLeftFor(into)
  })
  const isStaying = into !== null && leftFor !== into
  useEffect(() => {
    if (!isStaying) return
    let isHere = true
    void pauseInTyping().then(() => isHere && leave())
    return () => {
      isHere = false
    }
  }, [isStaying])
  if (into === null || isStaying) return children
  return (
    <Move
      id={id}
      into={into}
      onMoved={() => {
        onMoved(into)
        if (writing !== undefined) goOn(writing)
      }}
    />
  )
}

interface MoveProps {
  id: number
  into: number
  onMoved: () => void
}

/** Moves the drafts, which the forms have stored when they were closed. */
function Move({ id, into, onMoved }: MoveProps) {
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
