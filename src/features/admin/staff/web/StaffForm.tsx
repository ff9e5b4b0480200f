import { useState } from 'react'
import { Alert, Button, Checkbox, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { roleIds, roles } from '#shared/access.ts'
import { NewStaff, staff, type StaffMember } from '#features/admin/staff/contract.ts'
import { teams } from '#features/admin/teams/contract.ts'
import { staffFields } from '#features/admin/staff/fields.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { fromLists } from '#web/api/queries.ts'
import { useSend } from '#web/api/useSend.ts'
import { copyText } from '#web/copyText.ts'
import { ChoiceField, TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useMyProducts, useViewer } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'
import { byId, withWords, type RecordFields } from '#web/record/fieldWords.ts'
import { changesBetween, useMerged } from '#web/record/useMerged.tsx'
import { useUndo } from '#web/record/useUndo.ts'
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

const valuesOf = (person: StaffMember | undefined, products: readonly number[]): Values => ({
  user_name: person?.user_name ?? '',
  first_name: person?.first_name ?? '',
  last_name: person?.last_name ?? '',
  email: person?.email ?? '',
  role_id: String(person?.role_id ?? 2),
  product_ids: (person?.products ?? [1]).filter((id) => products.includes(id)).map(String),
  team_ids: (person?.teams ?? []).map(({ id }) => String(id)),
})
type Sent = ReturnType<typeof toSend>
const toSend = ({ role_id, product_ids, team_ids, ...rest }: Values) => ({
  ...rest,
  role_id: Number(role_id),
  product_ids: product_ids.map(Number),
  team_ids: team_ids.map(Number),
})

interface Props {
  /** The admin user to change; omitted for an invitation. */
  person?: StaffMember
  onClose: () => void
}

/** Form for inviting an admin user or changing their profile, role, products, and teams. */
export default function StaffForm({ person, onClose }: Props) {
  const products = useMyProducts()
  const everyTeam = useTeams()
  const [link, setLink] = useState<string>()
  const { send: invite } = useSend(staff.create, { refresh: [staff.list], failure: 'throw' })
  const [initial] = useState(() =>
    valuesOf(
      person,
      products.map(({ id }) => id),
    ),
  )
  const labels = withWords(staffFields, { product_ids: byId(products), team_ids: byId(everyTeam) })
  const { save, dialog } = useEdit(person, toSend(initial), labels)
  const form = useDraftForm<Values>({
    name: person ? `staff-${person.id}` : 'staff-new',
    initial,
    schema: NewStaff,
    toSend,
    onSave: async (values) => {
      if (person) {
        await save(toSend(values))
        return onClose()
      }
      const reply = await invite({ body: toSend(values) })
      if (!reply) return
      toast.success(reply.message)
      if (reply.link === null) onClose()
      else setLink(reply.link)
    },
  })
  if (link !== undefined) return <InvitationLink link={link} onClose={onClose} />
  return (
    <FormModal
      title={person ? `Edit ${person.name}` : 'Invite admin user'}
      form={form}
      onClose={onClose}
      saveLabel={person ? 'Save' : 'Invite'}
      side="right"
    >
      <ProfileFields fields={form.fields} />
      <AccessFields fields={form.fields} person={person} />
      {dialog}
    </FormModal>
  )
}

const useTeams = () => useQuery({ ...queryOptionsFor(teams.all), meta: fromLists }).data?.data ?? []

type Fields = DraftForm<Values>['fields']

function ProfileFields({ fields }: { fields: Fields }) {
  return (
    <>
      <TextField
        form={fields}
        name="user_name"
        label={staffFields.user_name.label}
        required
        autoFocus
        maxLength={60}
      />
      <div data-half>
        <TextField
          form={fields}
          name="first_name"
          label={staffFields.first_name.label}
          required
          maxLength={80}
        />
      </div>
      <div data-half>
        <TextField
          form={fields}
          name="last_name"
          label={staffFields.last_name.label}
          required
          maxLength={80}
        />
      </div>
      <TextField
        form={fields}
        name="email"
        label={staffFields.email.label}
        type="email"
        required
        maxLength={254}
      />
    </>
  )
}

function AccessFields({ fields, person }: { fields: Fields; person: StaffMember | undefined }) {
  const viewer = useViewer()
  const products = useMyProducts()
  const everyTeam = useTeams()
  const whyNotRole = person && person.id === viewer?.id ? 'You can’t change your own role.' : undefined
  return (
    <>
      <ChoiceField
        form={fields}
        name="role_id"
        label={staffFields.role_id.label}
        disabled={whyNotRole !== undefined}
        description={whyNotRole}
        options={roleIds
          .filter((id) => id !== 0 || viewer?.role_id === 0)
          .map((id) => ({ value: String(id), label: roles[id].name }))}
      />
      <Checkbox.Group label={staffFields.product_ids.label} {...fields.getInputProps('product_ids')}>
        {products.map(({ id, name }) => (
          <Checkbox key={id} value={String(id)} label={name} mt={6} />
        ))}
      </Checkbox.Group>
      <Checkbox.Group label={staffFields.team_ids.label} {...fields.getInputProps('team_ids')}>
        {everyTeam.map(({ id, name }) => (
          <Checkbox key={id} value={String(id)} label={name} mt={6} />
        ))}
      </Checkbox.Group>
    </>
  )
}

/** Saves the changes to an admin user, with a dialog for conflicts; `stored` has the values that the form began with. */
function useEdit(person: StaffMember | undefined, stored: Sent, labels: RecordFields) {
  // The version that the form shows, even if the list refreshes.
  const [version] = useState(person?.version ?? 0)
  const { send } = useSend(staff.update, { refresh: [staff.list], failure: 'throw' })
  const { announceAct } = useUndo([staff.list])
  const { save, dialog } = useMerged<Partial<Sent>>({ version, ...stored }, person?.name ?? '', labels)
  return {
    dialog,
    save: (values: Sent) =>
      save(changesBetween(stored, values), async (left, seen) => {
        // The call takes all fields; those that are equal to the base stay as they are.
        const body = { ...stored, ...left, version: seen.version, base: { ...stored, ...seen.base } }
        const reply = await send({ body: { id: person!.id, ...body } })
        if (reply) announceAct(reply.message, reply.operation)
      }),
  }
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
