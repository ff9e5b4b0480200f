import { aboutEmail } from '#web/mail/UndoSend.tsx'
import { toast } from '#web/message/toast.ts'

interface Sent {
  message: string
  data: { mail_id: number | null; undo_seconds: number }
}

export const savedForLater = 'Reply saved. It will be sent once email is set up.'

/** Says what happened to a reply; not as a success as long as its email can be undone, or isn't sent. */
export function announceReply({ message, data: { mail_id, undo_seconds } }: Sent, isEmailOn: boolean): void {
  if (mail_id === null) toast.success('Reply saved. No email was sent.')
  else if (!isEmailOn) toast.notice(savedForLater)
  else if (undo_seconds > 0) toast.notice(message, { about: aboutEmail(mail_id) })
  else toast.success(message)
}
