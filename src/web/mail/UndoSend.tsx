import { useEffect, useState, type ReactNode } from 'react'
import { Button } from '@mantine/core'
import { mails } from '#shared/mails.ts'
import { useSend } from '#web/api/useSend.ts'
import classes from '#web/mail/mail.module.css'
import { toast } from '#web/message/toast.ts'

interface Props {
  mail_ids: readonly number[]
  /** How long the emails are still held. */
  seconds: number
  label: string
  doneWords: string
  onUndone: () => void
  /** The line that takes the place of the button after that. */
  doneLine?: ReactNode
}

/** Subject of the toasts about an email, so that its cancellation replaces the one that it is sent. */
export const aboutEmail = (id: number): string => `email ${id}`

/** Button for undoing the sending of emails while they are held. */
export function UndoSend({ mail_ids, seconds, label, doneWords, onUndone, doneLine }: Props) {
  // Leave out the last second, so that the requests arrive before the emails are sent.
  const [left, setLeft] = useState(seconds - 1)
  const [isUndone, setUndone] = useState(false)
  const { send, sending } = useSend(mails.callOff)
  async function undo(): Promise<void> {
    const replies = await Promise.all(mail_ids.map((id) => send({ params: { id } })))
    const canceled = replies.filter((reply) => reply !== undefined).length
    // What failed was shown.
    if (canceled === 0) return
    setLeft(0)
    if (canceled < mail_ids.length)
      return toast.notice(`${canceled} of ${mail_ids.length} emails were canceled.`)
    toast.notice(doneWords, { about: aboutEmail(mail_ids[0]!) })
    setUndone(true)
    onUndone()
  }
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  if (isUndone && doneLine)
    return (
      <p className={classes.held} role="status">
        {doneLine}
      </p>
    )
  if (left <= 0) return null
  return (
    <p className={classes.held} role="status">
      {label}{' '}
      <Button size="compact-xs" variant="default" loading={sending} onClick={() => void undo()}>
        Undo send
      </Button>
    </p>
  )
}
