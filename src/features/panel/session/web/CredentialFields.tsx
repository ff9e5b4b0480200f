import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Alert, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import classes from '#features/panel/session/web/LoginPage.module.css'
import { showPasswordProps } from '#features/panel/session/web/ShowPassword.tsx'
import { fieldOf } from '#features/panel/session/web/signIn.ts'
import type { Credentials } from '#features/panel/session/web/signIn.ts'
import { useConfig } from '#web/config.ts'

interface Props {
  credentials: Credentials
  onChange: (credentials: Credentials) => void
  failure: string | undefined
  onDismiss: () => void
  loading: boolean
}

/**
 * Username and password fields with Remember me and Sign In, used on the login page and after a session has
 * ended.
 */
export function CredentialFields({ credentials, onChange, failure, onDismiss, loading }: Props) {
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [isCapsLock, setCapsLock] = useState(false)
  const days = useConfig()?.remember_days
  useEffect(() => {
    if (failure) (fieldOf(failure) === 'username' ? username : password).current?.focus()
  }, [failure])
  const checkCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))

  return (
    <>
      {failure && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          withCloseButton
          closeButtonLabel="Dismiss"
          onClose={onDismiss}
          className={classes.alert}
        >
          {failure}
        </Alert>
      )}
      <TextInput
        ref={username}
        label="Username"
        name="username"
        size="sm"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        autoFocus={credentials.username === ''}
        // In a dialog, whose first button would get the focus.
        data-autofocus={credentials.username === '' || undefined}
        value={credentials.username}
        onChange={(event) => onChange({ ...credentials, username: event.currentTarget.value })}
      />
      <PasswordInput
        ref={password}
        label="Password"
        name="password"
        size="sm"
        autoComplete="current-password"
        maxLength={200}
        autoFocus={credentials.username !== ''}
        data-autofocus={credentials.username !== '' || undefined}
        value={credentials.password}
        description={isCapsLock ? 'Caps Lock is on.' : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onKeyDown={checkCapsLock}
        onKeyUp={checkCapsLock}
        {...showPasswordProps()}
        onChange={(event) => onChange({ ...credentials, password: event.currentTarget.value })}
      />
      <div className={classes.remember}>
        <Checkbox
          label="Remember me"
          name="rememberMe"
          aria-describedby="remember-means"
          checked={credentials.rememberMe}
          onChange={(event) => onChange({ ...credentials, rememberMe: event.currentTarget.checked })}
        />
        <span id="remember-means" className={classes.means}>
          {days === undefined
            ? 'on this device'
            : `for ${days} ${days === 1 ? 'day' : 'days'} on this device`}
        </span>
      </div>
      <Button type="submit" size="sm" fullWidth loading={loading}>
        Sign In
      </Button>
    </>
  )
}
