import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { roleIds, roles } from '#shared/access.ts'
import { NewStaff, staff, type StaffMember } from '#features/admin/staff/contract.ts'
import { teams } from '#features/admin/teams/contract.ts'
import { staffFields } from '#features/admin/staff/fields.ts'
import { InvitationLink } from '#features/admin/staff/web/InvitationLink.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { asChoices } from '#web/filter/useOptions.ts'
import { useMyProducts, useViewer } from '#web/session.ts'
import { byId, withWords } from '#web/record/fieldWords.ts'

interface Props {
  /** The admin user to change; omitted for an invitation. */
  person?: StaffMember
  onClose: () => void
}

/** Form for inviting an admin user or changing their profile, role, products, and teams. */
export default function StaffForm({ person, onClose }: Props) {
  const viewer = useViewer()
  const products = useMyProducts()
  const everyTeam = useQuery(queryOptionsFor(teams.all)).data?.data ?? []
  const [link, setLink] = useState<string>()
  const { send: invite } = useSend(staff.create, { failure: 'throw' })
  const { send: update } = useSend(staff.update, { failure: 'throw' })
  const own = (ids: readonly number[]) => ids.filter((id) => products.some((product) => product.id === id))
  const record = person && { ...person, products: own(person.products) }
  const form = useRecordForm({
    name: person ? `staff-${person.id}` : 'staff-new',
    fields: staffFields,
    schema: NewStaff,
    record,
    title: person?.name ?? '',
    initial: { product_ids: own([1]).map(String) },
    words: withWords(staffFields, { product_ids: byId(products), team_ids: byId(everyTeam) }),

    create: async (body) => {
      const reply = await invite({ body })
      if (reply?.link === null) onClose()
      else setLink(reply?.link)
      return reply
    },
    update: ({ version, base, ...changes }) => {
      const { id, user_name, first_name, last_name, email, role_id } = person!
      const stored = { user_name, first_name, last_name, email, role_id }
      // The call takes these fields even if they are equal to the base, and then leaves them as they are.
      return update({ body: { id, ...stored, ...changes, version, base: { ...stored, ...base } } })
    },
    onSaved: person && onClose,
  })
  function fillUserName(): void {
    const { email, user_name } = form.fields.getValues()
    if (person || user_name !== '' || !email.includes('@')) return
    form.fields.setFieldValue(
      'user_name',
      email
        .split('@')[0]!
        .toLowerCase()
        .replace(/[^\w.-]/g, ''),
    )
  }
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
      <Field form={form} name="first_name" half autoFocus />
      <Field form={form} name="last_name" half />
      <div onBlur={fillUserName}>
        <Field form={form} name="email" />
      </div>
      <Field form={form} name="user_name" description={person ? undefined : 'Filled in from the email.'} />
      <Field
        form={form}
        name="role_id"
        disabled={whyNotRole !== undefined}
        description={whyNotRole}
        options={roleIds
          .filter((id) => id !== 0 || viewer?.role_id === 0)
          .map((id) => ({ value: String(id), label: roles[id].name }))}
      />
      <Field form={form} name="product_ids" options={asChoices(products)} />
      <Field form={form} name="team_ids" options={asChoices(everyTeam)} />
    </FormModal>
  )
}
