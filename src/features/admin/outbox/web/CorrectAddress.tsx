import { useState } from 'react'
import { Button, TextInput } from '@mantine/core'
import { mails } from '#shared/mails.ts'
import classes from '#features/admin/outbox/web/outbox.module.css'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'

interface Props {
  id: number
  address: string
  onClose: () => void
}

/** Sends an email that was not delivered to another address. The record keeps its own address. */
export function CorrectAddress({ id, address, onClose }: Props) {
  const [typed, setTyped] = useState(address)
  const [failure, setFailure] = useState<string>()
  const { send, sending } = useSend(mails.correctAddress, {
    onDone: ({ message }) => {
      toast.success(message)
      onClose()
    },
    failure: 'throw',
  })
  async function save(): Promise<void> {
    setFailure(undefined)
    try {
      await send({ params: { id }, body: { old_address: address, new_address: typed.trim() } })
    } catch (error) {
      setFailure((error instanceof ApiError && error.errors?.['new_address']?.[0]) || errorMessageOf(error))
    }
  }
  return (
    <form
      className={classes.correct}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      aria-label={`Correct address: ${address}`}
    >
      <TextInput
        label="New address"
        description="Only this email is sent to it. Correct the address on the record too."
        inputMode="email"
        autoFocus
        value={typed}
        error={failure}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button
          size="xs"
          type="submit"
          loading={sending}
          disabled={typed.trim() === '' || typed.trim() === address}
        >
          Resend email
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
