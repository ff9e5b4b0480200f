import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { users, type UserDetail } from '#features/crm/users/contract.ts'
import classes from '#features/crm/users/web/users.module.css'
import { useMay, useSend } from '#web/api/useSend.ts'
import { EmailAddress } from '#web/mail/EmailAddress.tsx'
import { toast } from '#web/message/toast.ts'
import { IconButton } from '#web/parts/controls.tsx'

/** The addresses from which a user writes besides their own, each with a button that removes it. */
export const OtherAddresses = ({ user: { id, addresses } }: { user: UserDetail }) => (
  <ul className={classes.addresses} aria-label="Other addresses">
    {addresses.map((address) => (
      <li key={address}>
        <EmailAddress address={address} />
        <RemoveAddress id={id} address={address} />
      </li>
    ))}
  </ul>
)

/** Returns a function that adds an address, for viewers who can; a refusal is thrown. */
export function useAddAddress(id: number): ((address: string) => Promise<unknown>) | undefined {
  const may = useMay(users.addAddress, { params: { id }, body: { address: '' } })
  const { send: remove } = useSend(users.removeAddress, { onDone: ({ message }) => toast.success(message) })
  const { send } = useSend(users.addAddress, { failure: 'throw' })
  if (!may) return undefined
  return async (address) => {
    const input = { params: { id }, body: { address } }
    const reply = await send(input)
    if (reply) toast.success(reply.message, { undo: { label: 'Undo', onUndo: () => void remove(input) } })
  }
}

function RemoveAddress({ id, address }: { id: number; address: string }) {
  const input = { params: { id }, body: { address } }
  const may = useMay(users.removeAddress, input)
  const { send: add } = useSend(users.addAddress, { onDone: ({ message }) => toast.success(message) })
  const { send, sending } = useSend(users.removeAddress, {
    onDone: ({ message }) =>
      toast.success(message, { undo: { label: 'Undo', onUndo: () => void add(input) } }),
  })
  return (
    may && (
      <IconButton label={`Remove ${address}`} disabled={sending} onClick={() => void send(input)}>
        <IconX size={12} stroke={1.75} aria-hidden />
      </IconButton>
    )
  )
}
