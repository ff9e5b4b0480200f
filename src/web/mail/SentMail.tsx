import { useQuery } from '@tanstack/react-query'
import { mails, mailStates, mailTones } from '#shared/mails.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { Loaded } from '#web/list/states.tsx'
import classes from '#web/mail/mail.module.css'
import { MailProgress } from '#web/mail/MailProgress.tsx'
import { MailFrame } from '#web/parts/MailFrame.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { countText } from '#web/time.ts'

/** An email as it was sent, with its recipients, the state for each, and its controls. */
export function SentMail({ id }: { id: number }) {
  const query = useQuery(queryOptionsFor(mails.show, { params: { id } }))
  return (
    <div className={classes.sent}>
      <Loaded query={query}>
        {({ data, is_on }) => (
          <>
            <ul className={classes.recipients} aria-label="Recipients">
              {data.recipients.map(({ address, state, last_error }) => (
                <li key={address}>
                  {address} <Tone tone={mailTones[state]}>{mailStates[state]}</Tone>
                  {last_error !== null && state !== 'sent' && <p>Mail server response: {last_error}</p>}
                </li>
              ))}
              {data.progress.total > data.recipients.length && (
                <li>{`and ${countText(data.progress.total - data.recipients.length)} more`}</li>
              )}
            </ul>
            <MailProgress mail={data} isOn={is_on} />
            {data.attachments.length > 0 && (
              <p>{`Attachments: ${data.attachments.map(({ name }) => name).join(', ')}`}</p>
            )}
            <MailFrame html={data.html} />
          </>
        )}
      </Loaded>
    </div>
  )
}
