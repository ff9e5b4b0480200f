import { leadContacts, type LeadContact } from '#features/crm/leads/contacts/contract.ts'
import { nameOfContact } from '#features/crm/leads/contacts/rules.ts'
import { useSend } from '#web/api/useSend.ts'
import { MenuItem } from '#web/parts/Menu.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { MoreMenu } from '#web/sheet/MoreMenu.tsx'

/** Menu with what can be done with a contact of a lead. */
export function ContactMenu({ contact, onEdit }: { contact: LeadContact; onEdit: () => void }) {
  const { announceAct } = useUndo()
  const options = {
    onDone: ({ message, operation }: { message: string; operation?: Parameters<typeof announceAct>[1] }) =>
      announceAct(message, operation),
  }
  const { send: makePrimary } = useSend(leadContacts.makePrimary, options)
  const { send: remove } = useSend(leadContacts.remove, options)
  const params = { id: contact.id }
  return (
    <MoreMenu of={nameOfContact(contact)}>
      <MenuItem onClick={onEdit}>Edit</MenuItem>
      <MenuItem onClick={() => void makePrimary({ params })}>Make primary</MenuItem>
      <MenuItem onClick={() => void remove({ params })}>Remove</MenuItem>
    </MoreMenu>
  )
}
