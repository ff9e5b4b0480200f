import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconMusic from '@tabler/icons-react/dist/esm/icons/IconMusic.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import type { TaskTicket } from '#features/tasks/tasks/contract.ts'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { Initials } from '#web/Avatar.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { ForeignHtml } from '#web/richtext/ForeignHtml.tsx'
import type { StreamEntry } from '#web/stream/entries.ts'
import { Stream } from '#web/stream/Stream.tsx'

const icons: readonly (readonly [endings: RegExp, icon: typeof IconFile, kind: string])[] = [
  [/\.(png|jpe?g|webp|gif|avif)$/i, IconPhoto, 'image'],
  [/\.(pdf|docx?|xlsx?|csv|txt)$/i, IconFileText, 'document'],
  [/\.(mp4|webm|mov)$/i, IconVideo, 'video'],
  [/\.(mp3|wav|ogg)$/i, IconMusic, 'audio'],
]

/** Read-only messages of the ticket that a task came from. */
export function TicketTab({ ticket }: { ticket: TaskTicket | null | undefined }) {
  if (!ticket || ticket.messages.length === 0) return <p className={classes.none}>No Record Found</p>
  return (
    <>
      <p>
        <RecordLink type="ticket" id={ticket.id} name={`Whole conversation of ticket #${ticket.id}`} />
      </p>
      <Stream label="Ticket messages" isInPage entries={ticket.messages.map(entryOf)} />
    </>
  )
}

/** Returns the entry of a message, whose sender is known only as an admin user or a customer. */
function entryOf(message: TaskTicket['messages'][number], position: number): StreamEntry {
  const who = message.sent_by_admin ? 'Us' : 'Customer'
  return {
    id: `ticket-message-${position}`,
    kind: message.sent_by_admin ? 'ours' : 'theirs',
    at: message.created_at,
    who,
    avatar: <Initials name={who} size={28} />,
    content: (
      <>
        <ForeignHtml html={message.message} title={`Message ${position + 1}`} />
        {message.attachments.map((one) => (
          <Attachment key={one.path} {...one} />
        ))}
      </>
    ),
  }
}

function Attachment({ name, path }: { name: string; path: string }) {
  const [, Icon, kind] = icons.find(([endings]) => endings.test(name)) ?? [undefined, IconFile, 'other']
  return (
    <a href={path} target="_blank" rel="noreferrer" className={classes.attachment}>
      <Icon size={14} aria-label={kind} /> {name}
    </a>
  )
}
