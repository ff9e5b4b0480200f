import { Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { Ticket } from '#features/crm/support/contract.ts'
import { useFollowWriting } from '#web/composer/nextComposer.ts'
import { pauseInTyping } from '#web/keys/pauseInTyping.ts'
import { LoadingState } from '#web/list/states.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const MoveDrafts = lazyPart(() => import('#features/crm/support/web/MoveDrafts.tsx'))

interface Props {
  ticket: Ticket
  /** Opens the ticket that stays. */
  onMoved: (into: number) => void
  children: ReactNode
}

/**
 * Shows a ticket; when it is merged, leads to the one that stays, with the reply and the note that were not sent
 * yet. Someone who is typing continues in the other ticket's composer after the next pause.
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
    <Suspense fallback={<LoadingState />}>
      <MoveDrafts
        id={id}
        into={into}
        onMoved={() => {
          onMoved(into)
          if (writing !== undefined) goOn(writing)
        }}
      />
    </Suspense>
  )
}
