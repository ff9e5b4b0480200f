import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { NewUser, UserChange, users, type UserRow } from '#features/crm/users/contract.ts'
import { userFields } from '#features/crm/users/fields.ts'
import { userQueries } from '#features/crm/users/web/userChange.ts'
import classes from '#features/crm/users/web/users.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { ChoiceField, TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { OrganizationField } from '#web/form/OrganizationField.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { byId, withWords } from '#web/record/fieldWords.ts'
import { useMerged } from '#web/record/useMerged.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { toast } from '#web/message/toast.ts'

interface Values {
  organization_id: string
  first_name: string
  last_name: string
  email: string
  phone: string
  role_id: string
  status: string
  is_subscribed: string
  is_master: boolean
}

const empty: Values = {
  organization_id: '',
  first_name: '',
  last_name: '',
  email: '',
  phone: '',
  role_id: '3',
  status: '1',
  is_subscribed: '1',
  is_master: false,
}
const valuesOf = (user: UserRow): Values => ({
  organization_id: String(user.organization_id),
  first_name: user.first_name,
  last_name: user.last_name,
  email: user.email ?? '',
  phone: user.phone,
  role_id: String(user.role_id),
  status: String(user.status),
  is_subscribed: String(user.is_subscribed),
  is_master: user.is_master,
})
const toSend = ({ organization_id, role_id, status, is_subscribed, ...rest }: Values) => ({
  ...rest,
  organization_id: Number(organization_id),
  role_id: Number(role_id),
  status: Number(status) as 0 | 1,
  is_subscribed: Number(is_subscribed) as 0 | 1,
})

interface Props {
  user?: UserRow | undefined
  onClose: () => void
}

/** Form in the right-side modal for creating or editing a user; concurrent changes by others are merged. */
export default function UserForm({ user, onClose }: Props) {
  const whyNotSave = useWhyNotSave(users.update, { body: { id: 1 } })
  const { form, dialog } = useUserForm({ user, onClose })
  const { fields } = form
  return (
    <>
      <FormModal
        title={user ? `Edit ${user.name}` : 'New user'}
        form={form}
        onClose={onClose}
        side="right"
        whyNotSave={whyNotSave}
      >
        <OrganizationField
          form={fields}
          name="organization_id"
          label={userFields.organization_id.label}
          required
        />
        <div data-half>
          <TextField
            form={fields}
            name="first_name"
            label={userFields.first_name.label}
            required
            autoFocus
            maxLength={80}
          />
        </div>
        <div data-half>
          <TextField form={fields} name="last_name" label={userFields.last_name.label} maxLength={80} />
        </div>
        <TextField form={fields} name="email" label={userFields.email.label} type="email" maxLength={254} />
        <SameEmail email={fields.values.email} but={user?.id} />
        <TextField form={fields} name="phone" label={userFields.phone.label} type="tel" maxLength={60} />
        <AccountFields fields={fields} />
      </FormModal>
      {dialog}
    </>
  )
}

function useUserForm({ user, onClose }: Props) {
  const { customer_roles } = useLists('customer_roles')
  const { send: create } = useSend(users.create, { refresh: userQueries, failure: 'throw' })
  const { send: update } = useSend(users.update, { refresh: userQueries, failure: 'throw' })
  const { announceAct } = useUndo(userQueries)
  const stored = user ? valuesOf(user) : empty
  const { save, dialog } = useMerged<Partial<ReturnType<typeof toSend>>>(
    user ?? { version: 0 },
    user?.name ?? '',
    withWords(userFields, { role_id: byId(customer_roles) }),
  )
  const form = useDraftForm({
    name: user ? `user-${user.id}` : 'user-new',
    initial: stored,
    schema: user ? UserChange.omit({ id: true }) : NewUser,
    toSend: (values) => {
      const { organization_id, ...rest } = toSend(values)
      return { ...rest, organization_id: organization_id || undefined }
    },
    onSave: async (values) => {
      if (!user) {
        const reply = await create({ body: toSend(values) })
        if (reply) toast.success(reply.warning ? `${reply.message} ${reply.warning}` : reply.message)
        return
      }
      const [next, before] = [toSend(values), toSend(stored)]
      const changes = Object.fromEntries(
        Object.entries(next).filter(([field, value]) => value !== before[field as keyof typeof before]),
      )
      await save(
        changes,
        async (left, seen) => {
          const reply = await update({ body: { id: user.id, ...left, ...seen } })
          if (reply)
            announceAct(reply.warning ? `${reply.message} ${reply.warning}` : reply.message, reply.operation)
        },
        form.outdated,
      )
    },
    onSaved: onClose,
  })
  return { form, dialog }
}

function AccountFields({ fields }: { fields: DraftForm<Values>['fields'] }) {
  const { customer_roles } = useLists('customer_roles')
  return (
    <>
      <div data-half>
        <ChoiceField
          form={fields}
          name="role_id"
          label={userFields.role_id.label}
          options={asChoices(customer_roles)}
        />
      </div>
      <div data-half>
        <ChoiceField
          form={fields}
          name="status"
          label={userFields.status.label}
          options={[
            { value: '1', label: 'Active' },
            { value: '0', label: 'Inactive' },
          ]}
        />
      </div>
      <ChoiceField
        form={fields}
        name="is_subscribed"
        label={userFields.is_subscribed.label}
        options={[
          { value: '1', label: 'Subscribed' },
          { value: '0', label: 'Unsubscribed' },
        ]}
      />
      <Checkbox
        label="Master user (manages the organization’s other users)"
        {...fields.getInputProps('is_master', { type: 'checkbox' })}
      />
    </>
  )
}

/** Warning about other users with the same email address. It doesn't prevent saving. */
function SameEmail({ email, but }: { email: string; but: number | undefined }) {
  const [q] = useDebouncedValue(email.trim().toLowerCase(), 300)
  const may = useMay(users.search)
  const found =
    useQuery({ ...queryOptionsFor(users.search, { query: { q } }), enabled: may && q.includes('@') }).data
      ?.data ?? []
  const same = found.filter((one) => one.id !== but && one.email?.toLowerCase() === q)
  return (
    <p role="status" className={classes.warning}>
      {same.length > 0 &&
        `This email address is also used by ${same.map(({ name, organization }) => `${name} (${organization})`).join(', ')}.`}
    </p>
  )
}
