import { useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { NewUser, UserChange, users, type UserRow } from '#features/crm/users/contract.ts'
import { userFields } from '#features/crm/users/fields.ts'
import classes from '#features/crm/users/web/users.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { OrganizationField } from '#web/form/OrganizationField.tsx'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { byId, withWords } from '#web/record/fieldWords.ts'

const subscription = [
  { value: '1', label: 'Subscribed' },
  { value: '0', label: 'Unsubscribed' },
]
const activity = [
  { value: '1', label: 'Active' },
  { value: '0', label: 'Inactive' },
]

interface Props {
  user?: UserRow | undefined
  onClose: () => void
}

/** Form in the right-side modal for creating or editing a user. */
export default function UserForm({ user, onClose }: Props) {
  const { customer_roles } = useLists('customer_roles')
  const { send: create } = useSend(users.create, { failure: 'throw' })
  const { send: update } = useSend(users.update, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(users.update, { body: { id: 1 } })
  const form = useRecordForm({
    name: user ? `user-${user.id}` : 'user-new',
    fields: userFields,
    schema: user ? UserChange : NewUser,
    record: user,
    title: user?.name ?? '',
    words: withWords(userFields, { role_id: byId(customer_roles) }),
    create: (body) => create({ body }),
    update: (body) => update({ body: { id: user!.id, ...body } }),
    onSaved: onClose,
  })
  return (
    <FormModal
      title={user ? `Edit ${user.name}` : 'New user'}
      form={form}
      onClose={onClose}
      side="right"
      whyNotSave={whyNotSave}
    >
      <OrganizationField {...form.at('organization_id')} />
      <Field form={form} name="first_name" half autoFocus />
      <Field form={form} name="last_name" half />
      <Field form={form} name="email" />
      <SameEmail email={form.fields.values.email} but={user?.id} />
      <Field form={form} name="phone" type="tel" />
      <Field form={form} name="role_id" half options={asChoices(customer_roles)} />
      <Field form={form} name="status" half options={activity} />
      <Field form={form} name="is_subscribed" options={subscription} />
      <Field form={form} name="is_master" label="Master user (manages the organization’s other users)" />
    </FormModal>
  )
}

/** Warning about other users with the same email address. It doesn't prevent saving. */
function SameEmail({ email, but }: { email: string; but: number | undefined }) {
  const [q] = useDebouncedValue(email.trim().toLowerCase(), 300)
  const may = useMay(users.search)
  const found =
    useQuery({ ...queryOptionsFor(users.search, { query: { q } }), enabled: may && q.includes('@') }).data
      ?.data ?? []
  const same = found
    .filter((one) => one.id !== but && one.email?.toLowerCase() === q)
    .map(({ name, organization }) => `${name} (${organization})`)
  return (
    <p role="status" className={classes.warning}>
      {same.length > 0 && `This email address is also used by ${same.join(', ')}.`}
    </p>
  )
}
