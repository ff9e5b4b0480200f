import { recordNotes, whyNotChangeNote, type NoteInTimeline } from '#shared/notes.contract.ts'
import type { RecordType } from '#shared/records.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { UndoEntry } from '#web/record/EventWords.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'

interface Props {
  type: RecordType
  /** The record on whose page the note is. */
  id: number
  note: NoteInTimeline
  isEditing: boolean
  onEdit: () => void
}

/** Buttons with which a note is pinned, edited, and deleted; only its author and roles 0 and 1 can do the last two. */
export function NoteActions({ type, id, note, isEditing, onEdit }: Props) {
  const viewer = useViewer()
  const params = { a: type, b: id, id: note.id }
  const isPinned = note.pinned_at !== null
  const may = useMay(recordNotes.remove, { params })
  const { announceAct } = useUndo()
  const onDone = ({
    message,
    operation,
  }: {
    message: string
    operation?: Parameters<typeof announceAct>[1]
  }) => announceAct(message, operation ?? null)
  const pin = useSend(recordNotes.pin, { onDone })
  const unpin = useSend(recordNotes.unpin, { onDone })
  const remove = useSend(recordNotes.remove, { onDone })
  const mayChange = viewer !== undefined && may && whyNotChangeNote(note, viewer) === undefined
  return (
    <>
      {may && (
        <LinkButton
          disabled={pin.sending || unpin.sending}
          onClick={() => void (isPinned ? unpin : pin).send({ params })}
        >
          {isPinned ? 'Unpin' : 'Pin'}
        </LinkButton>
      )}
      {mayChange && !isEditing && <LinkButton onClick={onEdit}>Edit</LinkButton>}
      {mayChange && (
        <LinkButton disabled={remove.sending} onClick={() => void remove.send({ params })}>
          Delete
        </LinkButton>
      )}
      {note.operation && <UndoEntry operation={note.operation} />}
    </>
  )
}
