import { useEffect, useEffectEvent, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, NativeSelect } from '@mantine/core'
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { canCorrect } from '#shared/delivery.ts'
import {
  mails,
  mailStates,
  mailTones,
  recipientsShown,
  type MailRow,
  type MailState,
  type WholeMail,
} from '#shared/mails.ts'
import { isRecordType, recordTypes } from '#shared/records.ts'
import { CorrectAddress } from '#features/admin/outbox/web/CorrectAddress.tsx'
import { failedOf, whyNotDelivered } from '#features/admin/outbox/web/mailWords.ts'
import classes from '#features/admin/outbox/web/outbox.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import type { OpenRecord } from '#web/list/inbox/Inbox.tsx'
import { PaneHead } from '#web/list/inbox/PaneHead.tsx'
import { RecordPane } from '#web/list/inbox/RecordPane.tsx'
import { Pager } from '#web/list/Pager.tsx'
import { Loaded } from '#web/list/states.tsx'
import { MailProgress } from '#web/mail/MailProgress.tsx'
import { MailFrame } from '#web/parts/MailFrame.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { TextButton } from '#web/parts/controls.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { hiddenRecipients } from '#web/mail/hiddenRecipients.ts'
import { Tone } from '#web/parts/Tone.tsx'
import { toast } from '#web/message/toast.ts'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'
import { fullTime } from '#web/time.ts'

/** An email beside the outbox: whether it arrived, why not, and the text as it was sent. */
export default function OutboxPane({ id, note }: OpenRecord<MailRow>) {
  const query = useQuery(queryOptionsFor(mails.show, { params: { id } }))
  return (
    <RecordPane query={query} one="email" may>
      {({ data, is_on }) => <Whole mail={data} isOn={is_on} note={note} />}
    </RecordPane>
  )
}

interface WholeProps extends Pick<OpenRecord<MailRow>, 'note'> {
  mail: WholeMail
  isOn: boolean
}

function Whole({ mail, isOn, note }: WholeProps) {
  // The row of an email that no longer belongs to the chosen tab shows its new state, too.
  const tell = useEffectEvent(note)
  useEffect(() => tell(mail), [mail])
  return (
    <>
      <PaneHead title={mail.subject} about={<About mail={mail} />}>
        {!mail.bulk && !mail.called_off && mail.may_steer && <Retry mail={mail} />}
      </PaneHead>
      <div className={classes.whole}>
        <Outcome mail={mail} />
        {isOpenOrMany(mail) && <MailProgress mail={mail} isOn={isOn} />}
        {mail.progress.total > recipientsShown ? (
          <ManyRecipients mail={mail} isOn={isOn} />
        ) : (
          <Recipients mail={mail} recipients={mail.recipients} isOn={isOn} />
        )}
        {mail.hidden > 0 && <Soft>{hiddenRecipients(mail.hidden)}</Soft>}
        <Letter mail={mail} />
      </div>
    </>
  )
}

/** Returns whether an email to one recipient can still be stopped, or goes to several. */
const isOpenOrMany = ({ progress: { total, sent, failed } }: WholeMail) => total > 1 || sent + failed < total

/** Who sent the email, when, and the record that it is about. */
function About({ mail }: { mail: WholeMail }) {
  const viewer = useViewer()
  const { record_type: type, record_id: id, record_name: name } = mail
  const to = type !== null && id !== null && name !== null && recordAddress(type, id, viewer, name)
  return (
    <>
      {mail.who ?? 'System'} · {fullTime(mail.created_at)}
      {type !== null && name !== null && (
        <>
          {' '}
          · about the {isRecordType(type) ? recordTypes[type].one : type}{' '}
          {to ? <PageLink to={to}>{name}</PageLink> : name}
        </>
      )}
    </>
  )
}

function Retry({ mail }: { mail: WholeMail }) {
  const { send, sending } = useSend(mails.retry, {
    onDone: ({ message }) => toast.success(message),
  })
  const { held, waiting, failed, total } = mail.progress
  if (held + waiting + failed === 0) return null
  return (
    <TextButton
      icon={<IconRefresh size={14} aria-hidden />}
      disabled={sending}
      onClick={() => void send({ params: { id: mail.id } })}
    >
      {held === total ? 'Send now' : 'Retry now'}
    </TextButton>
  )
}

/** What went wrong, and what to do about it. */
function Outcome({ mail }: { mail: WholeMail }) {
  const failed = failedOf(mail)
  const first = mail.recipients.find(({ state }) => state === 'failed')
  if (failed === undefined) return null
  return (
    <p className={classes.notice}>
      <IconAlertCircle size={16} stroke={1.5} aria-hidden />
      <span>
        <strong>{failed}</strong> {first && whyNotDelivered(first, true)}
      </span>
    </p>
  )
}

interface RecipientsProps extends Pick<WholeMail, 'recipients'> {
  mail: WholeMail
  isOn: boolean
}

function Recipients({ mail, recipients, isOn }: RecipientsProps) {
  const [correcting, setCorrecting] = useState<string>()
  return (
    <ul className={classes.recipients} aria-label="Recipients">
      {recipients.map((one) => (
        <li key={one.address}>
          <span className={classes.address}>{one.address}</span>
          <Tone tone={mailTones[one.state]}>{mailStates[one.state]}</Tone>
          <Soft as="span">
            {one.attempts} {one.attempts === 1 ? 'attempt' : 'attempts'}
            {one.sent_at && `, ${fullTime(one.sent_at)}`}
          </Soft>
          {one.state !== 'failed' && whyNotDelivered(one, isOn) && (
            <Soft as="span" className={classes.wide}>
              {whyNotDelivered(one, isOn)}
            </Soft>
          )}
          {one.last_error && (
            <span className={`${classes.wide} ${classes.failed}`}>
              Mail server response{one.last_error_at && `, ${fullTime(one.last_error_at)}`}: {one.last_error}
            </span>
          )}
          {mail.may_steer && !mail.called_off && canCorrect(one) && (
            <div className={classes.wide}>
              {correcting === one.address ? (
                <CorrectAddress id={mail.id} address={one.address} onClose={() => setCorrecting(undefined)} />
              ) : (
                <Button size="xs" variant="default" onClick={() => setCorrecting(one.address)}>
                  Correct address and resend
                </Button>
              )}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

const states = Object.keys(mailStates) as MailState[]

function ManyRecipients({ mail, isOn }: { mail: WholeMail; isOn: boolean }) {
  const [state, setState] = useState<MailState | undefined>(mail.progress.failed > 0 ? 'failed' : undefined)
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...queryOptionsFor(mails.recipients, { params: { id: mail.id }, query: { page, state } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={query}>
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
            <Soft>No recipients with this status.</Soft>
          ) : (
            <Recipients mail={mail} recipients={data} isOn={isOn} />
          )}
          <Pager total={total} perPage={per_page} page={page} onPage={setPage} />
        </>
      )}
    </Loaded>
  )
}

/** The email as it was sent. */
function Letter({ mail }: { mail: WholeMail }) {
  return (
    <>
      <section className={classes.letter} aria-label="Email">
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
          {mail.attachments.length > 0 && (
            <>
              <dt>Attachments</dt>
              <dd>{mail.attachments.map(({ name }) => name).join(', ')}</dd>
            </>
          )}
        </dl>
        <MailFrame html={mail.html} />
      </section>
      <details>
        <summary>Plain-text version</summary>
        <pre className={classes.text}>{mail.text}</pre>
      </details>
    </>
  )
}
