import classes from '#web/mail/mail.module.css'

/** Notice beside emails that wait because there is no SMTP server. */
export function NotSetUp() {
  return (
    <p className={classes.notSetUp} role="status">
      Not sent yet. Email isn’t set up.
    </p>
  )
}
