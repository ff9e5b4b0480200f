import { explainFailure } from '#shared/delivery.ts'
import type { MailRow, WholeMail } from '#shared/mails.ts'
import { countText, relativeTime } from '#web/time.ts'

type Recipient = MailRow['recipients'][number]

/** Returns why a recipient has not received an email yet; undefined if nothing is left to be done. */
export function whyNotDelivered(recipient: Recipient, isOn: boolean): string | undefined {
  const { state, attempts, next_try_at, last_error } = recipient
  if (state === 'failed') return explainFailure(last_error)
  if (state === 'stopped') return 'Paused. It will be sent if someone resumes it.'
  if (state !== 'held' && state !== 'waiting') return undefined
  if (!isOn) return 'It will be sent once an SMTP server is set up.'
  if (state === 'held') return `Sends ${relativeTime(next_try_at)}, and can be undone until then.`
  if (attempts === 0) return 'Waiting in the queue.'
  return `${explainFailure(last_error)} Next attempt ${relativeTime(next_try_at)}.`
}

/** Returns the recipients of an email in a few words. */
export const recipientsOf = ({ progress, recipients }: Pick<WholeMail, 'progress' | 'recipients'>): string =>
  progress.total === 1
    ? (recipients[0]?.address ?? 'No recipients')
    : `${countText(progress.total)} recipients`

/** Returns how an email failed, if it did: for how many of its recipients. */
export const failedOf = ({ progress }: Pick<WholeMail, 'progress'>): string | undefined =>
  progress.failed === 0
    ? undefined
    : `Not delivered to ${countText(progress.failed)} of ${countText(progress.total)} ${progress.total === 1 ? 'recipient' : 'recipients'}.`
