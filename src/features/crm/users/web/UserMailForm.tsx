import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { mailingList } from '#features/crm/users/mailing-list.contract.ts'
import { userEmails, UserMail } from '#features/crm/users/emails.contract.ts'
import { mailFields, MailFields } from '#features/crm/users/web/MailFields.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { BulkMailDialog } from '#web/mail/BulkMailDialog.tsx'
import { toast } from '#web/message/toast.ts'
import { countText } from '#web/time.ts'

/** Form for emailing the selected users. */
export default function UserMailForm({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const [sent, setSent] = useState<number>()
  const recipients = useQuery({
    ...queryOptionsFor(userEmails.emailRecipients, { body: { user: [...ids] } }),
    staleTime: 0,
  }).data
  const { send } = useSend(userEmails.sendEmail, { failure: 'throw' })
  const { send: test, sending: testing } = useSend(mailingList.testBulkEmail, {
    onDone: ({ message }) => toast.success(message),
  })
  const form = useFieldsForm({
    name: 'user-mail',
    fields: mailFields,
    schema: UserMail,
    onSave: async (mail) => {
      const reply = await send({ body: { ...mail, user: [...ids] } })
      if (!reply) return
      setSent(reply.mail_id)
      toast.success(`${reply.message} You can cancel it for the next minute.`)
    },
  })
  const { subject, note } = form.fields.values
  return (
    <BulkMailDialog
      title={ids.length === 1 ? 'Email 1 user' : `Email ${countText(ids.length)} users`}
      form={form}
      onClose={onClose}
      recipients={
        recipients && {
          count: recipients.count,
          leftOut: recipients.left_out,
          leftOutTotal: recipients.left_out_total,
        }
      }
      onTest={() => void test({ body: { subject, note } })}
      testing={testing}
      whyNotSave={subject.trim() && note.trim() ? undefined : 'Enter a subject and a message.'}
      sent={sent}
    >
      <MailFields form={form} />
    </BulkMailDialog>
  )
}
