import { useState } from 'react'
import { Alert, Button, Checkbox, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { roleIds, roles } from '#shared/access.ts'
import { NewStaff, staff } from '#features/admin/staff/contract.ts'
import { teams } from '#features/admin/teams/contract.ts'
import { session, type StaffMember } from '#features/panel/session/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { fromLists } from '#web/api/queries.ts'
import { useSend } from '#web/api/useSend.ts'
import { copyText } from '#web/copyText.ts'
import { ChoiceField, TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useMyProducts, useViewer } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'
import { useDialog } from '#web/parts/useDialog.ts'

interface Values {
  user_name: string
  first_name: string
  last_name: string
  email: string
  role_id: string
  product_ids: string[]
  team_ids: string[]
}

const toSend = ({ role_id, product_ids, team_ids, ...rest }: Values) => ({
  ...rest,
  role_id: Number(role_id),
  product_ids: product_ids.map(Number),
  team_ids: team_ids.map(Number),
})

/** Form for inviting an admin user or changing their profile, role, products, and teams. */
export default function StaffForm({ person, onClose }: { person?: StaffMember; onClose: () => void }) {
  const viewer = useViewer()
  const products = useMyProducts()
  const everyTeam = useQuery({ ...queryOptionsFor(teams.all), meta: fromLists }).data?.data ?? []
  const [link, setLink] = useState<string>()
  // The version that the form shows, even if the list refreshes.
  const [version] = useState(person?.version)
  const { send: invite } = useSend(staff.create, { refresh: [session.staff], failure: 'throw' })
  const { send: update } = useSend(session.updateProfile, { refresh: [session.staff], failure: 'throw' })
  const form = useDraftForm<Values>({
    name: person ? `staff-${person.id}` : 'staff-new',
    initial: {
      user_name: person?.user_name ?? '',
      first_name: person?.first_name ?? '',
      last_name: person?.last_name ?? '',
      email: person?.email ?? '',
      role_id: String(person?.role_id ?? 2),
      product_ids: (person?.products ?? [1])
        .filter((id) => products.some((one) => one.id === id))
        .map(String),
      team_ids: (person?.teams ?? []).map(({ id }) => String(id)),
    },
    schema: NewStaff,
    toSend,
    onSave: async (values) => {
      if (person) {
        const seen = { version, base: toSend(form.fields.getInitialValues()) }
        const reply = await update({ body: { id: person.id, ...toSend(values), ...seen } })
        if (reply) toast.success(reply.message)
        if (reply) onClose()
        return
      }
      const reply = await invite({ body: toSend(values) })
      if (!reply) return
      toast.success(reply.message)
      if (reply.link === null) onClose()
      else setLink(reply.link)
    },
  })
  const { fields } = form
  if (link !== undefined) return <InvitationLink link={link} onClose={onClose} />
  const whyNotRole = person && person.id === viewer?.id ? 'You can’t change your own role.' : undefined
  return (
    <FormModal
      title={person ? `Edit ${person.name}` : 'Invite admin user'}
      form={form}
      onClose={onClose}
      saveLabel={person ? 'Save' : 'Invite'}
      side="right"
    >
      <TextField form={fields} name="user_name" label="Username" required autoFocus maxLength={60} />
      <div data-half>
        <TextField form={fields} name="first_name" label="First name" required maxLength={80} />
      </div>
      <div data-half>
        <TextField form={fields} name="last_name" label="Last name" required maxLength={80} />
      </div>
      <TextField form={fields} name="email" label="Email" type="email" required maxLength={254} />
      <ChoiceField
        form={fields}
        name="role_id"
        label="Role"
        disabled={whyNotRole !== undefined}
        description={whyNotRole}
        options={roleIds
          .filter((id) => id !== 0 || viewer?.role_id === 0)
          .map((id) => ({ value: String(id), label: roles[id].name }))}
      />
      <Checkbox.Group label="Products" {...fields.getInputProps('product_ids')}>
        {products.map(({ id, name }) => (
          <Checkbox key={id} value={String(id)} label={name} mt={6} />
        ))}
      </Checkbox.Group>
      <Checkbox.Group label="Teams" {...fields.getInputProps('team_ids')}>
        {everyTeam.map(({ id, name }) => (
          <Checkbox key={id} value={String(id)} label={name} mt={6} />
        ))}
      </Checkbox.Group>
    </FormModal>
  )
}

function InvitationLink({ link, onClose }: { link: string; onClose: () => void }) {
  const dialog = useDialog()
  return (
    <Modal {...dialog} opened onClose={onClose} title="Invitation queued">
      <Alert color="yellow">
        Email isn’t set up, so the invitation is queued. Share this link yourself instead. It works once and
        expires in 48 hours.
      </Alert>
      <p>
        <code style={{ overflowWrap: 'anywhere' }}>{link}</code>
      </p>
      <Button variant="default" onClick={() => void copyText(link, 'Link copied.')}>
        Copy link
      </Button>
    </Modal>
  )
}
