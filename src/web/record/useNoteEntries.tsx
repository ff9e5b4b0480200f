import { useState } from 'react'
import type { NoteInTimeline } from '#shared/notes.contract.ts'
import type { RecordType } from '#shared/records.ts'
import { Initials } from '#web/Avatar.tsx'
import { FileList } from '#web/files/FileList.tsx'
import { EditNote } from '#web/record/EditNote.tsx'
import { NoteActions } from '#web/record/NoteActions.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'
import type { StreamEntry } from '#web/stream/entries.ts'
import { LinkedText } from '#web/stream/LinkedText.tsx'
import { fullTime } from '#web/time.ts'

/** Returns the entries of the notes of a record, in which numbers of tickets are links; those that are pinned separately. */
export function useNoteEntries(type: RecordType, id: number, notes: readonly NoteInTimeline[]) {
  const viewer = useViewer()
  const [editing, setEditing] = useState<number>()
  const ticketAddress = (number: number) => recordAddress('ticket', number, viewer)
  const entryOf = (note: NoteInTimeline): StreamEntry => {
    const isEditing = editing === note.id
    return {
      id: `note-${note.id}`,
      kind: 'note',
      at: note.created_at,
      who: note.who,
      role: note.edited_at !== null && <span title={fullTime(note.edited_at)}>Edited</span>,
      avatar: <Initials name={note.who} size={28} />,
      state: (
        <NoteActions
          type={type}
          id={id}
          note={note}
          isEditing={isEditing}
          onEdit={() => setEditing(note.id)}
        />
      ),
      content: (
        <>
          {isEditing ? (
            <EditNote type={type} id={id} note={note} onClose={() => setEditing(undefined)} />
          ) : (
            <LinkedText text={note.body} addressOf={ticketAddress} />
          )}
          <FileList files={note.attachments} label={`Attachments from ${note.who}`} />
        </>
      ),
    }
  }
  const isPinned = ({ pinned_at }: NoteInTimeline) => pinned_at !== null
  return {
    pinned: notes.filter(isPinned).map(entryOf),
    others: notes.filter((note) => !isPinned(note)).map(entryOf),
  }
}
