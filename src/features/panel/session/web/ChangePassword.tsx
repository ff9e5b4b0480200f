import { useState, type FormEvent } from 'react'
import { Alert, Button, Checkbox, Modal, TextInput } from '@mantine/core'
import { messages, session } from '#features/panel/session/contract.ts'
import classes from '#features/panel/session/web/dialogs.module.css'
import { tooShort, validatePasswords, type Passwords } from '#features/panel/session/web/passwords.ts'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { useViewer } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'
import { useDialog } from '#web/parts/useDialog.ts'

export default function ChangePassword({ onClose }: { onClose: () => void }) {
  const dialog = useDialog()
  const [passwords, setPasswords] = useState<Passwords>({ current: '', next: '', confirmation: '' })
  const [visible, setVisible] = useState(false)
  const { alert, setAlert, refused, sending, submit } = useChangePassword(passwords, onClose)

  const field = (name: keyof Passwords, label: string, autoComplete: string, error?: string) => (
    <TextInput
      label={label}
      required
      type={visible ? 'text' : 'password'}
      autoComplete={autoComplete}
      maxLength={200}
      error={error}
      data-autofocus={name === 'current' || undefined}
      value={passwords[name]}
      onChange={(event) => setPasswords({ ...passwords, [name]: event.currentTarget.value })}
    />
  )

  return (
    <Modal {...dialog} opened onClose={onClose} title="Reset User Password" size={400}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => void submit(event)}
        aria-label="Reset User Password"
      >
        {alert && (
          <Alert
            color="red"
            role="alert"
            withCloseButton
            closeButtonLabel="Dismiss"
            onClose={() => setAlert(undefined)}
          >
            {alert}
          </Alert>
        )}
        {field('current', 'Current password', 'current-password', tooShort(passwords.current))}
        {field('next', 'New password', 'new-password', tooShort(passwords.next) ?? refused)}
        {field('confirmation', 'Confirm new password', 'new-password')}
        <Checkbox
          label="Show Password"
          checked={visible}
          onChange={(event) => setVisible(event.currentTarget.checked)}
        />
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={sending}>
            Change password
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function useChangePassword(passwords: Passwords, onDone: () => void) {
  const viewer = useViewer()
  const [alert, setAlert] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const { send, sending } = useSend(session.resetPassword, { failure: 'throw' })

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const wrong = validatePasswords(passwords)
    setAlert(wrong)
    setRefused(undefined)
    if (wrong || !viewer) return
    try {
      const reply = await send({
        body: { oldPassword: passwords.current, newPassword: passwords.next, id: viewer.id },
      })
      if (!reply) return
      if (reply.flag) return setAlert(messages.passwordWrong)
      toast.success(reply.message)
      onDone()
    } catch (error) {
      const atField = error instanceof ApiError ? error.errors?.['newPassword']?.[0] : undefined
      if (atField) return setRefused(atField)
      toast.failure(errorMessageOf(error))
    }
  }

  return { alert, setAlert, refused, sending, submit }
}
