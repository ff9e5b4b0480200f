import classes from '#web/mail/mail.module.css'

export const notSetUp = 'Not sent yet. Email isn’t set up.'

/** Notice shown with emails that are queued because no SMTP server is configured. */
export function NotSetUp() {
  return (
    <p className={classes.notSetUp} role="status">
      {notSetUp}
    </p>
  )
}

interface WaitsProps {
  /** Begins with a small letter, such as `your reply`. */
  what: string
}

/** Notice in a form, before an email is sent that will wait because no SMTP server is configured. */
export const WillWait = ({ what }: WaitsProps) => (
  <p className={classes.willWait}>{`Email isn’t set up yet, so ${what} will wait in the outbox.`}</p>
)
