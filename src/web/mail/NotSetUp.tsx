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
