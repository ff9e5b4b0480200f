import { EmailAddress } from '#web/mail/EmailAddress.tsx'
import { users, type UserDetail } from '#features/crm/users/contract.ts'
import { userFields } from '#features/crm/users/fields.ts'
import { OtherAddresses, useAddAddress } from '#features/crm/users/web/OtherAddresses.tsx'
import { useUserChange } from '#features/crm/users/web/userChange.ts'
import classes from '#features/crm/users/web/users.module.css'
import { useMay } from '#web/api/useSend.ts'
import { asPairs, useLists } from '#web/filter/useOptions.ts'
import { Moment } from '#web/Moment.tsx'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import { Facts } from '#web/record/Facts.tsx'
import type { EditInPlace } from '#web/record/InPlace.tsx'
import { LastAct } from '#web/record/LastAct.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'

type TextField = 'first_name' | 'last_name' | 'email' | 'phone'
type ChoiceField = 'role_id' | 'status' | 'is_master' | 'is_subscribed'
type Options = NonNullable<EditInPlace['options']>

/** A user's facts, in groups. All but the organization are edited in place. */
export function UserFacts({ user }: { user: UserDetail }) {
  const { text, choice } = useEdit(user)
  const addAddress = useAddAddress(user.id)
  const { customer_roles } = useLists('customer_roles')
  const roles = asPairs(customer_roles).map(([id, name]) => [String(id), name] as const)
  const email = user.email && <EmailAddress address={user.email} />
  const phone = user.phone && <PhoneLink number={user.phone} />
  return (
    <>
      <Facts
        title="Contact"
        facts={[
          { name: userFields.email.label, value: email, always: true, isLink: true, edit: text('email') },
          {
            name: 'Other addresses',
            value: user.addresses.length > 0 ? <OtherAddresses user={user} /> : undefined,
            adds: 'Add address',
            edit: addAddress && { kind: 'text', value: '', save: addAddress },
          },
          { name: userFields.phone.label, value: phone, always: true, isLink: true, edit: text('phone') },
          { name: userFields.first_name.label, value: user.first_name, edit: text('first_name') },
          { name: userFields.last_name.label, value: user.last_name, edit: text('last_name') },
          { name: 'Time zone', value: user.timezone },
        ]}
      />
      <Facts
        title="Access"
        facts={[
          {
            name: userFields.organization_id.label,
            value: <RecordLink type="organization" id={user.organization_id} name={user.organization} />,
          },
          { name: userFields.role_id.label, value: user.role, edit: choice('role_id', roles) },
          {
            name: 'Master user',
            value: user.is_master ? `Yes, manages ${user.others}` : 'No',
            edit: choice('is_master', yesOrNo),
          },
          {
            name: userFields.status.label,
            value: user.status === 1 ? 'Active' : 'Inactive',
            edit: choice('status', statuses),
          },
        ]}
      />
      <Facts
        title="Email"
        facts={[
          {
            name: 'Product news',
            value: user.is_subscribed === 1 ? 'Subscribed' : 'Unsubscribed',
            edit: choice('is_subscribed', subscriptions),
          },
        ]}
      />
      <Facts
        title="About"
        facts={[
          {
            name: 'Created',
            value: (
              <>
                <Moment at={user.created_at} />
                {user.created_by_name && ` by ${user.created_by_name}`}
              </>
            ),
          },
        ]}
      />
      <div className={classes.lastAct}>
        <LastAct />
      </div>
    </>
  )
}

const yesOrNo: Options = [
  ['1', 'Yes'],
  ['0', 'No'],
]
const statuses: Options = [
  ['1', 'Active'],
  ['0', 'Inactive'],
]
const subscriptions: Options = [
  ['1', 'Subscribed'],
  ['0', 'Unsubscribed'],
]

/** Returns the functions that make a field editable in place, for viewers who can edit the user. */
function useEdit(user: UserDetail) {
  const mayEdit = useMay(users.update, { body: { id: user.id } })
  const { send } = useUserChange()
  const save = (field: TextField | ChoiceField, value: unknown, version = user.version) =>
    send({ body: { id: user.id, version, base: { [field]: user[field] }, [field]: value } })
  const text = (field: TextField): EditInPlace | undefined =>
    mayEdit
      ? { kind: 'text', value: user[field] ?? '', save: (typed, version) => save(field, typed, version) }
      : undefined
  const choice = (field: ChoiceField, options: Options): EditInPlace | undefined =>
    mayEdit
      ? {
          kind: 'choice',
          value: String(Number(user[field])),
          options,
          save: (chosen, version) =>
            save(field, field === 'is_master' ? chosen === '1' : Number(chosen), version),
        }
      : undefined
  return { text, choice }
}
