import { useEffect, useState, type FormEvent } from 'react'
import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { messages, session } from '#features/panel/session/contract.ts'
import classes from '#features/panel/session/web/LoginPage.module.css'
import { tooShort, validatePasswords } from '#features/panel/session/web/passwords.ts'
import { showPasswordProps } from '#features/panel/session/web/ShowPassword.tsx'
import { request } from '#web/api/client.ts'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'

interface Props {
  /** The link's token; undefined if the user is requesting a link. */
  invitation: string | undefined
  /** Returns to the sign-in form, with the username if it is known. */
  onDone: (user_name?: string) => void
}

/** Form for setting a password with a link, or for requesting such a link. */
export default function PasswordLink({ invitation, onDone }: Props) {
  const { whose, typed, setTyped, failure, refused, said, sending, submit } = usePasswordLink(invitation)
  const isOver = invitation !== undefined && !whose
  return (
    <>
      <form
        className={classes.card}
        noValidate
        onSubmit={(event) => void submit(event)}
        aria-label={invitation === undefined ? 'Forgot password' : 'Set your password'}
      >
        {failure && (
          <Alert color="red" variant="light" role="alert" className={classes.alert}>
            {failure}
          </Alert>
        )}
        {said && <p role="status">{said}</p>}
        {!said && whose && (
          <p>
            For {whose.name}, username {whose.user_name}.
          </p>
        )}
        {!said && invitation === undefined && (
          <TextInput
            label="Username or email"
            autoComplete="username"
            maxLength={254}
            autoFocus
            value={typed.username}
            onChange={(event) => setTyped({ ...typed, username: event.currentTarget.value })}
          />
        )}
        {!said && whose && <PasswordFields typed={typed} refused={refused} onType={setTyped} />}
        {!said && !isOver && (
          <Button type="submit" size="sm" fullWidth loading={sending}>
            {invitation === undefined ? 'Email me a link' : 'Set password'}
          </Button>
        )}
      </form>
      <p className={classes.help}>
        <LinkButton onClick={() => onDone(whose?.user_name)}>Back to sign in</LinkButton>
      </p>
    </>
  )
}

/** Returns the form's state, and the account of the link, which is requested first. */
function usePasswordLink(invitation: string | undefined) {
  const [whose, setWhose] = useState<{ name: string; user_name: string }>()
  const [typed, setTyped] = useState({ username: '', next: '', confirmation: '' })
  const [failure, setFailure] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const [said, setSaid] = useState<string>()
  const [sending, setSending] = useState(false)

  useEffect(() => {
    if (invitation === undefined) return
    request(session.invitation, { body: { token: invitation } }).then(
      ({ data }) => setWhose(data),
      (error: unknown) => setFailure(errorMessageOf(error)),
    )
  }, [invitation])

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const wrong =
      invitation === undefined
        ? typed.username.trim()
          ? undefined
          : messages.usernameEmpty
        : validatePasswords({ ...typed, current: 'none' })
    setFailure(wrong)
    setRefused(undefined)
    if (wrong) return
    setSending(true)
    try {
      const reply =
        invitation === undefined
          ? await request(session.forgotPassword, { body: { username: typed.username } })
          : await request(session.setPassword, { body: { token: invitation, password: typed.next } })
      setSaid(reply.message)
    } catch (error) {
      const atField = error instanceof ApiError ? error.errors?.['password']?.[0] : undefined
      if (atField) setRefused(atField)
      else setFailure(errorMessageOf(error))
    } finally {
      setSending(false)
    }
  }

  return { whose, typed, setTyped, failure, refused, said, sending, submit }
}

interface Typed {
  username: string
  next: string
  confirmation: string
}

function PasswordFields({
  typed,
  refused,
  onType,
}: {
  typed: Typed
  refused: string | undefined
  onType: (typed: Typed) => void
}) {
  return (
    <>
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        maxLength={200}
        error={tooShort(typed.next) ?? refused}
        {...showPasswordProps()}
        value={typed.next}
        onChange={(event) => onType({ ...typed, next: event.currentTarget.value })}
      />
      <PasswordInput
        label="Confirm new password"
        autoComplete="new-password"
        maxLength={200}
        {...showPasswordProps('password confirmation')}
        value={typed.confirmation}
        onChange={(event) => onType({ ...typed, confirmation: event.currentTarget.value })}
      />
    </>
  )
}
