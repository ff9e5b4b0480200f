import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, NativeSelect } from '@mantine/core'
import {
  mails,
  mailStates,
  mailTones,
  recipientsShown,
  type MailState,
  type WholeMail,
} from '#shared/mails.ts'
import { outbox } from '#features/admin/outbox/contract.ts'
import classes from '#features/admin/outbox/web/outbox.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Pager } from '#web/list/Pager.tsx'
import { Loaded } from '#web/list/states.tsx'
import { MailProgress } from '#web/mail/MailProgress.tsx'
import { Moment } from '#web/Moment.tsx'
import { MailFrame } from '#web/parts/MailFrame.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'
import { toast } from '#web/message/toast.ts'
import { Tone } from '#web/parts/Tone.tsx'

/** An email as sent, with each recipient's delivery status. */
export function OutboxMail({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(queryOptionsFor(mails.show, { params: { id } }))
  return (
    <RightModal title={query.data?.data.subject ?? 'Email'} onClose={onClose} size={640}>
      <Loaded query={query} skeleton={<p role="status">Loading…</p>}>
        {({ data, is_on }) => <Whole mail={data} isOn={is_on} />}
      </Loaded>
    </RightModal>
  )
}

function Whole({ mail, isOn }: { mail: WholeMail; isOn: boolean }) {
  const { send, sending } = useSend(mails.retry, {
    refresh: [outbox.list, mails.show, mails.recipients],
    onDone: ({ message }) => toast.success(message),
  })
  const isOver = mail.recipients.every(
    ({ state }) => state !== 'held' && state !== 'waiting' && state !== 'failed',
  )
  return (
    <div className={classes.whole}>
      <dl className={classes.facts}>
        <dt>From</dt>
        <dd>{mail.from ?? 'Set from MAIL_FROM on the first attempt'}</dd>
        {mail.reply_to && (
          <>
            <dt>Reply-to</dt>
            <dd>{mail.reply_to}</dd>
          </>
        )}
        <dt>Message-ID</dt>
        <dd>
          <code>{mail.message_id}</code>
        </dd>
      </dl>
      <MailProgress mail={mail} isOn={isOn} refresh={[outbox.list]} />
      {mail.progress.total > recipientsShown ? (
        <ManyRecipients mail={mail} />
      ) : (
        <Recipients recipients={mail.recipients} />
      )}
      {!mail.bulk && !mail.called_off && (
        <Button
          size="xs"
          variant="default"
          loading={sending}
          disabled={isOver}
          title={isOver ? 'This email was already sent or is being sent now.' : undefined}
          onClick={() => void send({ params: { id: mail.id } })}
        >
          {mail.progress.held === mail.progress.total ? 'Send now' : 'Retry now'}
        </Button>
      )}
      {mail.attachments.length > 0 && (
        <p className={classes.soft}>Attachments: {mail.attachments.map(({ name }) => name).join(', ')}</p>
      )}
      <MailFrame html={mail.html} />
      <details>
        <summary>Plain-text version</summary>
        <pre className={classes.text}>{mail.text}</pre>
      </details>
    </div>
  )
}

function Recipients({ recipients }: Pick<WholeMail, 'recipients'>) {
  return (
    <ul className={classes.recipients}>
      {recipients.map((one) => (
        <li key={one.address}>
          <span className={classes.address}>{one.address}</span>
          <Tone tone={mailTones[one.state]}>{mailStates[one.state]}</Tone>
          <span className={classes.soft}>
            {one.attempts} {one.attempts === 1 ? 'attempt' : 'attempts'}
            {one.sent_at && (
              <>
                {', '}
                <Moment at={one.sent_at} />
              </>
            )}
            {one.state === 'waiting' && one.attempts > 0 && (
              <>
                {', next attempt '}
                <Moment at={one.next_try_at} />
              </>
            )}
          </span>
          {one.last_error && <span className={classes.error}>{one.last_error}</span>}
        </li>
      ))}
    </ul>
  )
}

const states = Object.keys(mailStates) as MailState[]

function ManyRecipients({ mail }: { mail: WholeMail }) {
  const [state, setState] = useState<MailState>()
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...queryOptionsFor(mails.recipients, { params: { id: mail.id }, query: { page, state } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={query} skeleton={<p role="status">Loading…</p>}>
      {({ data, total, per_page }) => (
        <>
          <NativeSelect
            size="xs"
            label="Recipients"
            value={state ?? ''}
            data={[
              { value: '', label: 'All' },
              ...states.map((value) => ({ value, label: mailStates[value] })),
            ]}
            onChange={({ currentTarget }) => {
              setState(states.find((one) => one === currentTarget.value))
              setPage(1)
            }}
          />
          {data.length === 0 ? (
            <p className={classes.soft}>No recipients with this status.</p>
          ) : (
            <Recipients recipients={data} />
          )}
          <Pager total={total} perPage={per_page} page={page} onPage={setPage} />
        </>
      )}
    </Loaded>
  )
}
