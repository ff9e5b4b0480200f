import { Alert, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import classes from '#features/panel/session/web/LoginPage.module.css'
import type { Credentials } from '#features/panel/session/web/signIn.ts'

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
        label="Username"
        name="username"
        size="sm"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        autoFocus={credentials.username === ''}
        value={credentials.username}
        onChange={(event) => onChange({ ...credentials, username: event.currentTarget.value })}
      />
      <PasswordInput
        label="Password"
        name="password"
        size="sm"
        autoComplete="current-password"
        maxLength={200}
        autoFocus={credentials.username !== ''}
        value={credentials.password}
        visibilityToggleButtonProps={{
          'aria-label': 'Show or hide password',
          'aria-hidden': false,
          tabIndex: 0,
        }}
        onChange={(event) => onChange({ ...credentials, password: event.currentTarget.value })}
      />
      <Checkbox
        label="Remember me"
        name="rememberMe"
        checked={credentials.rememberMe}
        onChange={(event) => onChange({ ...credentials, rememberMe: event.currentTarget.checked })}
      />
      <Button type="submit" size="sm" fullWidth loading={loading}>
        Sign In
      </Button>
    </>
  )
}
