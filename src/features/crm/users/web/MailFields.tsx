import type { UseFormReturnType } from '@mantine/form'
import { userEmails } from '#features/crm/users/emails.contract.ts'
import { request } from '#web/api/client.ts'
import { LongTextField, TextField } from '#web/form/inputs.tsx'
import { greetingHint, MailPreview } from '#web/mail/MailPreview.tsx'

/** Fields for the subject and text of an email to users, with a preview. */
export function MailFields({ fields }: { fields: UseFormReturnType<{ subject: string; note: string }> }) {
  const { subject, note } = fields.values
  return (
    <>
      <TextField form={fields} name="subject" label="Subject" required autoFocus maxLength={200} />
      <LongTextField
        form={fields}
        name="note"
        label="Message"
        rows={8}
        maxLength={10_000}
        description={greetingHint}
      />
      <MailPreview
        subject={subject}
        message={note}
        load={() => request(userEmails.previewEmail, { body: { subject, note } })}
      />
    </>
  )
}
