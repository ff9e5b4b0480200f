import { UserMail, users } from '#features/crm/users/contract.ts'
import { MailPreview } from '#features/crm/users/web/MailPreview.tsx'
import { useSend } from '#web/api/useSend.ts'
import { LongTextField, TextField } from '#web/form/fields.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/shell/toast.ts'
import { countText } from '#web/time.ts'

/** A mail to the users that were ticked. */
export default function UserMailForm({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const { send } = useSend(users.sendEmail, { failure: 'throw' })
  const form = useDraftForm({
    name: 'user-mail',
    initial: { subject: '', note: '' },
    schema: UserMail,
    onSave: async (mail) => {
      const reply = await send({ body: { ...mail, user: [...ids] } })
      if (reply) toast.success(reply.left_out.length ? `${reply.message} ${countText(reply.left_out.length)} left out.` : reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={ids.length === 1 ? 'Mail to 1 user' : `Mail to ${countText(ids.length)} users`}
      form={form}
      onClose={onClose}
      saveLabel={`Send to ${countText(ids.length)}`}
      side="right"
    >
      <TextField form={form.fields} name="subject" label="Subject" required autoFocus maxLength={200} />
      <LongTextField
        form={form.fields}
        name="note"
        label="Message"
        rows={8}
        maxLength={10_000}
        description="Begins with “Dear” and the first name. Who is banned or unsubscribed is left out."
      />
      <MailPreview {...form.fields.values} />
    </FormModal>
  )
}
