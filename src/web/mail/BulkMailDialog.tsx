import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { whyLeftOut, type Chosen } from '#shared/recipients.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import classes from '#web/mail/mail.module.css'
import { LiveMailProgress } from '#web/mail/MailProgress.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'
import { countText } from '#web/time.ts'

interface Props<Values extends object> {
  title: string
  form: DraftForm<Values>
  onClose: () => void
  /** Number of recipients, the people left out, and their total if not all are named; undefined while loading. */
  recipients: { count: number; leftOut: Chosen['leftOut']; leftOutTotal?: number } | undefined
  /** Sends the email to its author only. */
  onTest: () => void
  testing: boolean
  whyNotSave?: string | undefined
  /** ID of the email once it is in the outbox; its progress then replaces the form. */
  sent?: number | undefined
  /** The form's fields: subject, message, and attachments. */
  children: ReactNode
}

/**
 * Dialog for a bulk email. Its Send button shows the number of recipients, and a list shows who is left out
 * and why. After sending, the dialog shows the email's progress.
 */
export function BulkMailDialog<Values extends object>({
  recipients,
  onTest,
  testing,
  whyNotSave,
  sent,
  children,
  ...modal
}: Props<Values>) {
  const nobody = recipients?.count === 0 ? 'This email has no recipients.' : undefined
  const counting = recipients === undefined ? 'Counting recipients…' : undefined
  if (sent !== undefined)
    return (
      <RightModal title={modal.title} onClose={modal.onClose}>
        <LiveMailProgress id={sent} />
      </RightModal>
    )
  return (
    <FormModal
      {...modal}
      saveLabel={
        recipients === undefined
          ? 'Send'
          : `Send to ${countText(recipients.count)} ${recipients.count === 1 ? 'recipient' : 'recipients'}`
      }
      whyNotSave={whyNotSave ?? counting ?? nobody}
      size={720}
    >
      {children}
      {recipients !== undefined && (
        <LeftOut leftOut={recipients.leftOut} total={recipients.leftOutTotal ?? recipients.leftOut.length} />
      )}
      <p className={classes.why}>You can’t undo an email after it has been sent.</p>
      <div className={classes.buttons}>
        <Button
          size="xs"
          variant="default"
          loading={testing}
          disabled={whyNotSave !== undefined}
          onClick={onTest}
        >
          Send test email
        </Button>
      </div>
    </FormModal>
  )
}

function LeftOut({ leftOut, total }: Pick<Chosen, 'leftOut'> & { total: number }) {
  if (leftOut.length === 0) return null
  return (
    <details className={classes.leftOut}>
      <summary>{countText(total)} excluded</summary>
      <ul>
        {leftOut.map(({ who, why }, index) => (
          <li key={index}>
            <span>{who}</span>
            <span className={classes.why}>{whyLeftOut[why]}</span>
          </li>
        ))}
        {total > leftOut.length && <li>and {countText(total - leftOut.length)} more</li>}
      </ul>
    </details>
  )
}
