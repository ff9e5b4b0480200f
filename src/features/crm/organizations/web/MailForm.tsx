import { useQuery } from '@tanstack/react-query'
import { whyLeftOut } from '#shared/recipients.ts'
import { OrganizationMail, organizations, type Organization } from '#features/crm/organizations/contract.ts'
import { users } from '#features/crm/users/contract.ts'
import { queryOptionsFor, request } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { LongTextField, TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { greetingHint, MailPreview } from '#web/mail/MailPreview.tsx'
import { toast } from '#web/message/toast.ts'
import { countText } from '#web/time.ts'

/** Form for emailing an organization's users. Shows the number of recipients and who is excluded. */
export default function MailForm({
  organization,
  onClose,
}: {
  organization: Organization
  onClose: () => void
}) {
  const params = { id: organization.organization_id }
  const { send } = useSend(organizations.mail, { refresh: [organizations.orgUser], failure: 'throw' })
  const recipients = useQuery({
    ...queryOptionsFor(organizations.mailRecipients, { params }),
    staleTime: 0,
  }).data
  const form = useDraftForm({
    name: `organization-mail-${organization.organization_id}`,
    initial: { subject: '', message: '' },
    schema: OrganizationMail,
    onSave: async (mail) => {
      const reply = await send({ params, body: mail })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  const { subject, message } = form.fields.values
  const left = recipients?.left_out ?? []
  const unnamed = (recipients?.left_out_total ?? 0) - left.length
  return (
    <FormModal
      title={`Email ${organization.name}`}
      form={form}
      onClose={onClose}
      saveLabel={
        recipients
          ? `Send to ${countText(recipients.count)} ${recipients.count === 1 ? 'recipient' : 'recipients'}`
          : 'Send'
      }
      whyNotSave={
        recipients === undefined
          ? 'Counting recipients…'
          : recipients.count === 0
            ? 'No users can receive this email.'
            : undefined
      }
      side="right"
    >
      <TextField form={form.fields} name="subject" label="Subject" required autoFocus maxLength={200} />
      <LongTextField
        form={form.fields}
        name="message"
        label="Message"
        rows={8}
        maxLength={10_000}
        description={greetingHint}
      />
      <MailPreview
        subject={subject}
        message={message}
        load={() => request(users.previewEmail, { body: { subject, note: message } })}
      />
      {left.length > 0 && (
        <p>
          Excluded: {left.map(({ who, why }) => `${who} (${whyLeftOut[why]})`).join(', ')}
          {unnamed > 0 && ` and ${countText(unnamed)} more`}.
        </p>
      )}
    </FormModal>
  )
}
