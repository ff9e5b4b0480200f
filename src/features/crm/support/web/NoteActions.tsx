import { Suspense, useState } from 'react'
import type { TicketComment } from '#features/crm/support/ticket-comment.contract.ts'
import { conversation } from '#features/crm/support/conversation.contract.ts'
import { whyNotDeleteNote, whyNotEditNote } from '#features/crm/support/rules.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const EditNote = lazyPart(() => import('#features/crm/support/web/EditNote.tsx'))

/** Buttons with which its author edits or deletes an internal note; roles 0 and 1 can delete any. */
export function NoteActions({ comment }: { comment: TicketComment }) {
  const viewer = useViewer()
  const [isEditing, setEditing] = useState(false)
  const params = { ticket: comment.ticket_id, id: comment.id }
  const may = useMay(conversation.removeComment, { params })
  const { announceAct } = useUndo()
  const { send, sending } = useSend(conversation.removeComment, {
    onDone: ({ message, operation }) => announceAct(message, operation ?? null),
  })
  if (!viewer || !may) return null
  return (
    <>
      {!whyNotEditNote(comment, viewer) && <LinkButton onClick={() => setEditing(true)}>Edit</LinkButton>}
      {!whyNotDeleteNote(comment, viewer) && (
        <LinkButton disabled={sending} onClick={() => void send({ params })}>
          Delete
        </LinkButton>
      )}
      {isEditing && (
        <Suspense>
          <EditNote comment={comment} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  )
}
