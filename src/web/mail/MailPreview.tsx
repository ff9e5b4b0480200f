import { useState } from 'react'
import { Button } from '@mantine/core'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import classes from '#web/mail/mail.module.css'
import { MailFrame } from '#web/parts/MailFrame.tsx'

interface Email {
  subject: string
  html: string
}

interface Props {
  subject: string
  message: string
  /** Requests the email from the server. */
  load: () => Promise<{ data: Email }>
}

/** Hint for the message field of an email to which the server adds a greeting and a link. */
export const greetingHint =
  'The email starts with “Hello” and the recipient’s first name, unless your text already greets them, and it ends with an unsubscribe link.'

/** Preview of an email, loaded on request. After the text changes, it must be requested again. */
export function MailPreview({ subject, message, load }: Props) {
  const [shown, setShown] = useState<Email & { of: string }>()
  const [failure, setFailure] = useState<string>()
  const of = JSON.stringify([subject, message])
  async function look(): Promise<void> {
    setFailure(undefined)
    try {
      setShown({ ...(await load()).data, of })
    } catch (error) {
      const errors = error instanceof ApiError ? error.errors : undefined
      setFailure(errors ? Object.values(errors).flat().join(' ') : errorMessageOf(error))
    }
  }
  return (
    <div className={classes.previewing}>
      <div>
        <Button
          size="xs"
          variant="default"
          disabled={subject.trim() === '' || message.trim() === '' || shown?.of === of}
          onClick={() => void look()}
        >
          Preview
        </Button>
      </div>
      {failure && <p role="alert">{failure}</p>}
      {shown && (
        <section className={classes.preview} aria-label="Preview">
          <p>
            <strong>{shown.subject}</strong>
            {shown.of !== of && ' (without your latest changes)'}
          </p>
          <MailFrame html={shown.html} />
        </section>
      )}
    </div>
  )
}
