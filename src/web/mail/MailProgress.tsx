import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { mails, mailStates, mailTones, type MailProgress as Progress, type WholeMail } from '#shared/mails.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import classes from '#web/mail/mail.module.css'
import { NotSetUp } from '#web/mail/NotSetUp.tsx'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { Tone } from '#web/parts/Tone.tsx'
import { countText } from '#web/time.ts'

/** Live progress of an email, with its controls. */
export function LiveMailProgress({ id }: { id: number }) {
  const query = useQuery(queryOptionsFor(mails.show, { params: { id } }))
  return <Loaded query={query}>{({ data, is_on }) => <MailProgress mail={data} isOn={is_on} />}</Loaded>
}

interface Props {
  mail: Pick<WholeMail, 'id' | 'progress' | 'may_steer' | 'called_off' | 'bulk'>
  isOn: boolean
}

const shownCounts = ['sent', 'waiting', 'held', 'stopped', 'canceled', 'unsubscribed', 'failed'] as const

/**
 * Recipient counts by status, with Undo send, Cancel, Pause, Resume, and Retry failed for viewers with
 * permission.
 */
export function MailProgress({ mail, isOn }: Props) {
  const { progress, called_off } = mail
  return (
    <section className={classes.progress} aria-label="Progress">
      {!isOn && progress.waiting + progress.held > 0 && <NotSetUp />}
      <progress
        className={classes.bar}
        max={progress.total}
        value={progress.sent + progress.failed}
        aria-label="Done"
      />
      <ul className={classes.counts}>
        {shownCounts
          .filter((state) => progress[state] > 0)
          .map((state) => (
            <li key={state}>
              <Tone tone={mailTones[state]}>{`${mailStates[state]} ${countText(progress[state])}`}</Tone>
            </li>
          ))}
      </ul>
      {mail.may_steer && !called_off && (
        <div className={classes.buttons}>
          {progress.held === progress.total && <Steer mail={mail} act="callOff" label="Undo send" />}
          {progress.held < progress.total && progress.waiting + progress.stopped === progress.total && (
            <Steer mail={mail} act="callOff" label="Cancel" />
          )}
          {mail.bulk && progress.waiting + progress.held > 0 && (
            <Steer mail={mail} act="stop" label="Pause" />
          )}
          {progress.stopped > 0 && (
            <Steer mail={mail} act="resume" label={`Resume (${countText(progress.stopped)})`} />
          )}
          {mail.bulk && progress.failed > 0 && (
            <Steer mail={mail} act="retry" label={`Retry failed (${countText(progress.failed)})`} />
          )}
        </div>
      )}
    </section>
  )
}

const questions: { [act in Act]?: (progress: Progress) => string } = {
  callOff: () => 'Cancel this email?',
}
type Act = 'stop' | 'resume' | 'retry' | 'callOff'

function Steer({ mail, act, label }: Pick<Props, 'mail'> & { act: Act; label: string }) {
  const { send, sending } = useSend(mails[act], {
    onDone: ({ message }) => toast.success(message),
  })
  const question = questions[act]?.(mail.progress)
  const press = async () => {
    if (question !== undefined && !(await askToProceed(question, { detail: 'No one will receive it.' })))
      return
    await send({ params: { id: mail.id } })
  }
  return (
    <Button size="xs" variant="default" loading={sending} onClick={() => void press()}>
      {label}
    </Button>
  )
}
