import { useEffect, useState } from 'react'
import { Button } from '@mantine/core'
import type { EndpointShape } from '#shared/endpoint.ts'
import { mails } from '#shared/mails.ts'
import { useSend } from '#web/api/useSend.ts'
import classes from '#web/mail/mail.module.css'
import { toast } from '#web/message/toast.ts'

interface Props {
  mail_id: number
  /** How long the email is still held. */
  seconds: number
  /** Queries that show the email. */
  refresh: readonly Pick<EndpointShape, 'path'>[]
  label: string
  doneWords: string
  onUndone: () => void
}

/** Button for undoing the sending of an email while it is held. */
export function UndoSend({ mail_id, seconds, refresh, label, doneWords, onUndone }: Props) {
  // Leave out the last second, so that the request arrives before the email is sent.
  const [left, setLeft] = useState(seconds - 1)
  const { send, sending } = useSend(mails.callOff, {
    refresh,
    onDone: () => {
      toast.notice(doneWords)
      setLeft(0)
      onUndone()
    },
  })
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  if (left <= 0) return null
  return (
    <p className={classes.held} role="status">
      {label}{' '}
      <Button
        size="compact-xs"
        variant="default"
        loading={sending}
        onClick={() => void send({ params: { id: mail_id } })}
      >
        Undo send
      </Button>
    </p>
  )
}
