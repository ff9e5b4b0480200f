import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { outbox } from '#features/admin/outbox/contract.ts'
import classes from '#features/admin/outbox/web/outbox.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { Moment } from '#web/Moment.tsx'
import { countText } from '#web/time.ts'

/**
 * Banner about emails that have waited since before the mail server was set up; they are sent or discarded only
 * here.
 */
export function WaitingEmails({ isOn }: { isOn: boolean }) {
  const query = useQuery(queryOptionsFor(outbox.waiting))
  const options = { onDone: ({ message }: { message: string }) => toast.success(message) }
  const { send: sendAll, sending } = useSend(outbox.sendWaiting, options)
  const { send: discardAll, sending: discarding } = useSend(outbox.discardWaiting, options)
  const { count = 0, since } = query.data ?? {}
  if (count === 0 || !since) return null
  const emails = count === 1 ? '1 email' : `${countText(count)} emails`
  async function discard(): Promise<void> {
    if (
      await askToProceed(`Discard ${emails}?`, {
        detail: 'They are canceled and can’t be sent.',
        isRisky: true,
      })
    )
      await discardAll({ body: {} })
  }
  async function send(): Promise<void> {
    if (
      await askToProceed(`Send ${emails}?`, { detail: 'Emails with an expired link are canceled instead.' })
    )
      await sendAll({ body: {} })
  }
  return (
    <section className={classes.waiting} aria-label="Waiting emails">
      <span>
        <strong>
          {`${emails} ${count === 1 ? 'has' : 'have'} waited since `}
          <Moment at={since} />.
        </strong>{' '}
        Nothing older than a day is sent by itself.
      </span>
      <Button
        size="compact-sm"
        disabled={!isOn}
        title={isOn ? undefined : 'Email isn’t set up yet.'}
        loading={sending}
        onClick={() => void send()}
      >
        Send
      </Button>
      <Button size="compact-sm" variant="default" loading={discarding} onClick={() => void discard()}>
        Discard
      </Button>
    </section>
  )
}
