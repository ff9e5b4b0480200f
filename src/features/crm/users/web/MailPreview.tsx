import { useState } from 'react'
import { Button } from '@mantine/core'
import type { Reply } from '#shared/endpoint.ts'
import { users } from '#features/crm/users/contract.ts'
import classes from '#features/crm/users/web/users.module.css'
import { request } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { MailFrame } from '#web/parts/MailFrame.tsx'

/** Preview of an email to users, loaded on request. After the text changes, it must be requested again. */
export function MailPreview({ subject, note }: { subject: string; note: string }) {
  const [shown, setShown] = useState<Reply<typeof users.previewEmail>['data'] & { of: string }>()
  const [failure, setFailure] = useState<string>()
  const of = JSON.stringify([subject, note])
  async function look(): Promise<void> {
    setFailure(undefined)
    try {
      setShown({ ...(await request(users.previewEmail, { body: { subject, note } })).data, of })
    } catch (error) {
      setFailure(errorMessageOf(error))
    }
  }
  return (
    <div className={classes.notes}>
      <div>
        <Button
          size="xs"
          variant="default"
          disabled={subject.trim() === '' || note.trim() === '' || shown?.of === of}
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
