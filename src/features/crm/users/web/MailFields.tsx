import type { Fields } from '#shared/field.ts'
import { userEmails } from '#features/crm/users/emails.contract.ts'
import { request } from '#web/api/client.ts'
import { Field } from '#web/form/Field.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { greetingHint, MailPreview } from '#web/mail/MailPreview.tsx'

export const mailFields = {
  subject: { label: 'Subject', empty: '' },
  note: { label: 'Message', empty: '' },
} as const satisfies Fields

/** Fields for the subject and text of an email to users, with a preview. */
export function MailFields({ form }: { form: FieldsForm<typeof mailFields> }) {
  const { subject, note } = form.fields.values
  return (
    <>
      <Field form={form} name="subject" autoFocus />
      <Field form={form} name="note" required={false} rows={8} description={greetingHint} />
      <MailPreview
        subject={subject}
        message={note}
        load={() => request(userEmails.previewEmail, { body: { subject, note } })}
      />
    </>
  )
}
