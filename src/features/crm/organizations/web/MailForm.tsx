import { chooseRecipients, whyLeftOut } from '#shared/recipients.ts'
import { OrganizationMail, organizations, type CustomerUser, type Organization } from '#features/crm/organizations/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { LongTextField, TextField } from '#web/form/fields.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/shell/toast.ts'

interface Props {
  organization: Organization
  users: readonly CustomerUser[]
  onClose: () => void
}

/** A mail to the users of an organization; says to how many, and who is left out. */
export default function MailForm({ organization, users, onClose }: Props) {
  const { send } = useSend(organizations.mail, { refresh: [organizations.orgUser], failure: 'throw' })
  const { to, leftOut } = chooseRecipients(
    users.map((user) => ({
      who: `${user.first_name} ${user.last_name}`.trim(),
      address: user.email,
      banned: user.banned,
      unsubscribed: user.is_subscribed === 0,
    })),
  )
  const form = useDraftForm({
    name: `organization-mail-${organization.organization_id}`,
    initial: { subject: '', message: '' },
    schema: OrganizationMail,
    onSave: async (mail) => {
      const reply = await send({ params: { id: organization.organization_id }, body: mail })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={`Mail to ${organization.name}`}
      form={form}
      onClose={onClose}
      saveLabel={`Send to ${to.length}`}
      whyNotSave={to.length ? undefined : 'No user can get a mail.'}
      side="right"
    >
      <TextField form={form.fields} name="subject" label="Subject" required autoFocus maxLength={200} />
      <LongTextField form={form.fields} name="message" label="Message" rows={8} maxLength={10_000} />
      {leftOut.length > 0 && <p>Left out: {leftOut.map(({ who, why }) => `${who} (${whyLeftOut[why]})`).join(', ')}.</p>}
    </FormModal>
  )
}
