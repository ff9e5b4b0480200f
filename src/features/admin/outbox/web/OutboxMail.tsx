import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { mailStates, mailTones, outbox, type WholeMail } from '#features/admin/outbox/contract.ts'
import classes from '#features/admin/outbox/web/outbox.module.css'
import { ask } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { MailFrame } from '#web/shell/MailFrame.tsx'
import { RightModal } from '#web/shell/RightModal.tsx'
import { toast } from '#web/shell/toast.ts'
import { Tone } from '#web/shell/Tone.tsx'

/** One mail as it goes out, with where it stands for each recipient. */
export function OutboxMail({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(ask(outbox.show, { params: { id } }))
  return (
    <RightModal title={query.data?.data.subject ?? 'Mail'} onClose={onClose} size={640}>
      <Loaded query={query} skeleton={<p role="status">Loading…</p>}>
        {({ data }) => <Whole mail={data} />}
      </Loaded>
    </RightModal>
  )
}

function Whole({ mail }: { mail: WholeMail }) {
  const { send, sending } = useSend(outbox.retry, { refresh: [outbox.list, outbox.show], onDone: ({ message }) => toast.success(message) })
  const isOver = mail.recipients.every(({ state }) => state === 'sent' || state === 'sending')
  return (
    <div className={classes.whole}>
      <dl className={classes.facts}>
        <dt>From</dt>
        <dd>{mail.from ?? 'MAIL_FROM, at the first try'}</dd>
        {mail.reply_to && (
          <>
            <dt>Answers to</dt>
            <dd>{mail.reply_to}</dd>
          </>
        )}
        <dt>Message-ID</dt>
        <dd>
          <code>{mail.message_id}</code>
        </dd>
      </dl>
      <ul className={classes.recipients}>
        {mail.recipients.map((one) => (
          <li key={one.address}>
            <span className={classes.address}>{one.address}</span>
            <Tone tone={mailTones[one.state]}>{mailStates[one.state]}</Tone>
            <span className={classes.soft}>
              {one.attempts} {one.attempts === 1 ? 'try' : 'tries'}
              {one.sent_at && (
                <>
                  {', '}
                  <Moment at={one.sent_at} />
                </>
              )}
              {one.state === 'waiting' && one.attempts > 0 && (
                <>
                  {', again '}
                  <Moment at={one.next_try_at} />
                </>
              )}
            </span>
            {one.last_error && <span className={classes.error}>{one.last_error}</span>}
          </li>
        ))}
      </ul>
      <Button
        size="xs"
        variant="default"
        loading={sending}
        disabled={isOver}
        title={isOver ? 'This mail has left, or is leaving right now.' : undefined}
        onClick={() => void send({ params: { id: mail.id } })}
      >
        Try again now
      </Button>
      <MailFrame html={mail.html} />
      <details>
        <summary>As text</summary>
        <pre className={classes.text}>{mail.text}</pre>
      </details>
    </div>
  )
}
