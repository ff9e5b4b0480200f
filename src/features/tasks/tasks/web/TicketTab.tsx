import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconMusic from '@tabler/icons-react/dist/esm/icons/IconMusic.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import type { TaskTicket } from '#features/tasks/tasks/contract.ts'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { Moment } from '#web/Moment.tsx'
import { ForeignHtml } from '#web/richtext/ForeignHtml.tsx'

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
    <ol className={classes.messages}>
      {ticket.messages.map((message, position) => (
        <li key={position} className={classes.message} data-admin={message.sent_by_admin || undefined}>
          <p className={classes.byline}>
            {message.sent_by_admin ? 'Us' : 'Customer'} · <Moment at={message.created_at} />
          </p>
          <ForeignHtml html={message.message} title={`Message ${position + 1}`} />
          {message.attachments.map(({ name, path }) => {
            const [, Icon, kind] = icons.find(([endings]) => endings.test(name)) ?? [
              undefined,
              IconFile,
              'other',
            ]
            return (
              <a key={path} href={path} target="_blank" rel="noreferrer" className={classes.attachment}>
                <Icon size={14} aria-label={kind} /> {name}
              </a>
            )
          })}
        </li>
      ))}
    </ol>
  )
}
