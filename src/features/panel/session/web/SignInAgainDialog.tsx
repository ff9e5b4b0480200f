import { useState, type FormEvent } from 'react'
import { Modal } from '@mantine/core'
import { CredentialFields } from '#features/panel/session/web/CredentialFields.tsx'
import classes from '#features/panel/session/web/LoginPage.module.css'
import { signIn, type Credentials } from '#features/panel/session/web/signIn.ts'
import { storedUserName, viewer } from '#web/session.ts'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props {
  onSignedIn: (isSamePerson: boolean) => void
  onClose: () => void
}

export default function SignInAgainDialog({ onSignedIn, onClose }: Props) {
  const [credentials, setCredentials] = useState<Credentials>({
    username: storedUserName(),
    password: '',
    rememberMe: false,
  })
  const [failure, setFailure] = useState<string>()
  const [loading, setLoading] = useState(false)
  const dialog = useDialog()

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    // React also bubbles events from a portal to the surrounding form.
    event.stopPropagation()
    const before = viewer()?.id
    setLoading(true)
    const reply = await signIn(credentials)
    setLoading(false)
    if (typeof reply === 'string') setFailure(reply)
    else onSignedIn(reply.user.id === before)
  }

  return (
    <Modal
      {...dialog}
      opened
      onClose={onClose}
      title="Sign in again"
      size={360}
      zIndex={360}
      closeOnClickOutside={false}
      centered
    >
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => void submit(event)}
        aria-label="Sign in again"
      >
        <p className={classes.ended}>
          Your session has ended. Sign in to continue where you left off. Your unsaved changes are kept.
        </p>
        <CredentialFields
          credentials={credentials}
          onChange={setCredentials}
          failure={failure}
          onDismiss={() => setFailure(undefined)}
          loading={loading}
        />
      </form>
    </Modal>
  )
}
