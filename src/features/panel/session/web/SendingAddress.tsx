import { useState } from 'react'
import { Button, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ownAddress } from '#features/admin/mail-settings/contract.ts'
import classes from '#features/panel/session/web/dialogs.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { Tone } from '#web/parts/Tone.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

/** The address that the viewer's emails come from: the company's, or their own one once it is confirmed. */
export default function SendingAddress({ onClose }: { onClose: () => void }) {
  const dialog = useDialog()
  const query = useQuery({ ...queryOptionsFor(ownAddress.show), staleTime: 0 })
  return (
    <Modal {...dialog} opened onClose={onClose} title="Sending address" size="md">
      <Loaded query={query}>{({ data, domains }) => <Address own={data} domains={domains} />}</Loaded>
    </Modal>
  )
}

interface Props {
  own: { address: string; confirmed_at: string | null; allowed: boolean } | null
  domains: readonly string[]
}

function Address({ own, domains }: Props) {
  const [address, setAddress] = useState('')
  const [failure, setFailure] = useState<string>()
  const { send, sending } = useSend(ownAddress.set, { failure: 'throw' })
  const { send: remove, sending: removing } = useSend(ownAddress.remove, {
    onDone: ({ message }) => toast.success(message),
  })
  async function save(): Promise<void> {
    try {
      const reply = await send({ body: { address } })
      setFailure(undefined)
      if (!reply) return
      toast.success(reply.message)
      setAddress('')
    } catch (error) {
      setFailure(errorMessageOf(error))
    }
  }
  return (
    <div className={classes.address}>
      {own === null ? (
        <p>Your emails have your name and the company’s address.</p>
      ) : (
        <p>
          <strong>{own.address}</strong>{' '}
          {own.confirmed_at === null ? (
            <Tone tone="yellow">Waiting for your confirmation</Tone>
          ) : own.allowed ? (
            <Tone tone="green">In use</Tone>
          ) : (
            <Tone tone="gray">Domain not allowed anymore</Tone>
          )}{' '}
          <Button size="compact-xs" variant="default" loading={removing} onClick={() => void remove()}>
            Remove
          </Button>
        </p>
      )}
      {domains.length === 0 ? (
        <p>No domain is allowed yet. An Admin can add yours in the email settings.</p>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <TextInput
            label="Your own address"
            type="email"
            maxLength={254}
            placeholder={`you@${domains[0]}`}
            description={`Allowed: ${domains.map((one) => `@${one}`).join(', ')}. We email a link that confirms it.`}
            value={address}
            error={failure}
            onChange={({ currentTarget }) => setAddress(currentTarget.value)}
          />
          <Button type="submit" size="xs" mt={10} loading={sending} disabled={address.trim() === ''}>
            Email the link
          </Button>
        </form>
      )}
    </div>
  )
}
