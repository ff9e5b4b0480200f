import { useState } from 'react'
import type { Fields } from '#shared/field.ts'
import type { Ticket } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { ticketRequester, TicketRequester } from '#features/crm/support/requester.contract.ts'
import { useTicketChange } from '#features/crm/support/web/useTicketChange.ts'
import { request } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import SearchSelect from '#web/form/SearchSelect.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { Soft } from '#web/parts/Soft.tsx'

const formFields = {
  user_id: { label: ticketFields.requester.label, empty: '' },
  sender_name: { ...ticketFields.sender_name, label: 'Name', empty: '' },
  sender_phone: { ...ticketFields.sender_phone, label: 'Phone', empty: '' },
  sender_email: { ...ticketFields.sender_email, label: 'Email', empty: '' },
} as const satisfies Fields

const withoutAccount = { value: '', label: 'Someone without an account' }
const noSender = { sender_name: '', sender_phone: '', sender_email: '' }

async function findUsers(q: string, signal: AbortSignal) {
  const { data } = await request(ticketRequester.search, { query: { q } }, { signal })
  return data.map(({ id, name, email, organization }) => ({
    value: String(id),
    label: [name, email, organization].filter(Boolean).join(' · '),
  }))
}

interface Props {
  ticket: Ticket
  onClose: () => void
}

/** Dialog for choosing another requester, or for correcting the name and address of one without an account. */
export default function ChangeRequester({ ticket, onClose }: Props) {
  // What others change meanwhile is a conflict.
  const [opened] = useState(ticket)
  const { id, version, user_id, sender_name, sender_phone, sender_email } = opened
  const { onDone } = useTicketChange()
  const { send } = useSend(ticketRequester.change, { onDone, failure: 'throw' })
  const form = useFieldsForm({
    name: `ticket-requester-${id}`,
    fields: formFields,
    schema: TicketRequester,
    initial: {
      user_id: user_id === 0 ? '' : String(user_id),
      sender_name,
      sender_phone,
      sender_email: sender_email ?? '',
    },
    onSave: ({ user_id: chosen, ...sender }) => {
      // Fields that the chosen requester doesn’t have aren’t shown.
      const values = chosen ? { ...noSender, user_id: Number(chosen) } : { ...sender, user_id: 0 }
      const base = {
        customer_user_id: user_id || null,
        sender_name,
        sender_phone,
        sender_email,
        organization_id: opened.org_id || null,
      }
      return send({ params: { ticket: id }, body: { ...values, version, base } })
    },
    onSaved: onClose,
  })
  const { user_id: chosen, sender_email: address } = form.fields.values
  const { value, ...user } = form.control('user_id')
  return (
    <FormModal
      title={`Requester of #${id} ${opened.title}`}
      form={form}
      onClose={onClose}
      saveLabel="Change requester"
    >
      <SearchSelect
        {...user}
        of="requester"
        find={findUsers}
        fixed={[withoutAccount]}
        value={String(value ?? '')}
        chosen={opened.requester}
        nothing="No users found."
        description="Search by name, email, or phone number."
        autoFocus
      />
      {chosen === '' ? (
        <>
          <Field form={form} name="sender_name" />
          <Field form={form} name="sender_phone" type="tel" half />
          <Field
            form={form}
            name="sender_email"
            half
            description={address === '' && 'Without it, replies can’t be emailed.'}
          />
        </>
      ) : (
        <Soft>The ticket gets the organization of this user.</Soft>
      )}
      <Soft>Replies go to the new requester. Earlier messages keep their authors.</Soft>
    </FormModal>
  )
}
