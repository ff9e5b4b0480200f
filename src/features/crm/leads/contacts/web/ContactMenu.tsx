import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { leadContacts, type LeadContact } from '#features/crm/leads/contacts/contract.ts'
import { nameOfContact } from '#features/crm/leads/contacts/rules.ts'
import { useSend } from '#web/api/useSend.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'
import { useUndo } from '#web/record/useUndo.ts'

/** Menu with what can be done with a contact of a lead. */
export function ContactMenu({ contact, onEdit }: { contact: LeadContact; onEdit: () => void }) {
  const { props, wanted, at } = useMenuButton()
  const { announceAct } = useUndo()
  const options = {
    onDone: ({ message, operation }: { message: string; operation?: Parameters<typeof announceAct>[1] }) =>
      announceAct(message, operation),
  }
  const { send: makePrimary } = useSend(leadContacts.makePrimary, options)
  const { send: remove } = useSend(leadContacts.remove, options)
  const params = { id: contact.id }
  const label = `More actions for ${nameOfContact(contact)}`
  return (
    <>
      <IconButton label={label} bare {...props}>
        <IconDots size={16} stroke={1.5} aria-hidden />
      </IconButton>
      {wanted && (
        <Menu {...at} label={label} end>
          <MenuItem onClick={onEdit}>Edit</MenuItem>
          <MenuItem onClick={() => void makePrimary({ params })}>Make primary</MenuItem>
          <MenuItem onClick={() => void remove({ params })}>Remove</MenuItem>
        </Menu>
      )}
    </>
  )
}
