import { ContactInput, leadContacts, type LeadContact } from '#features/crm/leads/contacts/contract.ts'
import { contactFields } from '#features/crm/leads/contacts/fields.ts'
import { nameOfContact } from '#features/crm/leads/contacts/rules.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useRecordForm } from '#web/form/useRecordForm.tsx'

interface Props {
  lead_id: number
  /** The contact to edit; if omitted, the form adds one. */
  contact?: LeadContact | undefined
  onClose: () => void
}

/** Form for a contact of a lead besides its primary contact. */
export default function ContactForm({ lead_id, contact, onClose }: Props) {
  const options = { failure: 'throw' } as const
  const { send: add } = useSend(leadContacts.add, options)
  const { send: change } = useSend(leadContacts.change, options)
  const form = useRecordForm({
    name: contact ? `lead-contact-${contact.id}` : `lead-contact-of-${lead_id}`,
    fields: contactFields,
    schema: ContactInput,
    record: contact,
    title: contact && nameOfContact(contact),
    create: (body) => add({ body: { lead_id, ...body } }),
    update: (body) => change({ params: { id: contact!.id }, body }),
    onSaved: onClose,
  })
  return (
    <FormModal
      title={contact ? `Edit ${nameOfContact(contact)}` : 'Add contact'}
      form={form}
      onClose={onClose}
      saveLabel={contact ? 'Save' : 'Add contact'}
    >
      <Field form={form} name="name" />
      <Field form={form} name="role" placeholder="Finance" />
      <Field form={form} name="email" />
      <Field form={form} name="phone" type="tel" />
    </FormModal>
  )
}
