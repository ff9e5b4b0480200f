import type { UseFormReturnType } from '@mantine/form'
import { MailPreview } from '#features/crm/users/web/MailPreview.tsx'
import { LongTextField, TextField } from '#web/form/fields.tsx'

/** Fields for the subject and text of an email to users, with a preview. */
export function MailFields({ fields }: { fields: UseFormReturnType<{ subject: string; note: string }> }) {
  return (
    <>
      <TextField form={fields} name="subject" label="Subject" required autoFocus maxLength={200} />
      <LongTextField
        form={fields}
        name="note"
        label="Message"
        rows={8}
        maxLength={10_000}
        description="The email starts with “Hello” and the recipient’s first name, and it ends with an unsubscribe link."
      />
      <MailPreview {...fields.values} />
    </>
  )
}
