import { Suspense, useState, type FormEvent } from 'react'
import { useRouter } from '@tanstack/react-router'
import { CredentialFields } from '#features/panel/session/web/CredentialFields.tsx'
import classes from '#features/panel/session/web/LoginPage.module.css'
import { signIn, type Credentials } from '#features/panel/session/web/signIn.ts'
import { useConfig } from '#web/config.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { storedUserName } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useDocumentTitle } from '#web/shell/title.ts'
import { thisYear } from '#web/time.ts'
import { registered } from '#web/shell/page.ts'

const PasswordLink = lazyPart(() => import('#features/panel/session/web/PasswordLink.tsx'))

/** The only page that doesn't require a session. */
export function LoginPage() {
  const router = useRouter()
  const config = useConfig()
  const [credentials, setCredentials] = useState<Credentials>({
    username: storedUserName(),
    password: '',
    rememberMe: false,
  })
  const [failure, setFailure] = useState<string>()
  const [loading, setLoading] = useState(false)
  const [forgotten, setForgotten] = useState(false)
  const [invitation, setInvitation] = useState(() => invitationIn(router.state.location.search))
  useDocumentTitle('Sign in')

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setLoading(true)
    setFailure(undefined)
    const answer = await signIn(credentials)
    if (typeof answer === 'string') {
      setFailure(answer)
      setLoading(false)
      return
    }
    void registered.afterSignIn()
    router.history.replace(returnPath(router.state.location.search))
  }

  return (
    <div className={classes.page}>
      <main className={classes.main}>
        <span className={classes.mark} aria-hidden />
        <h1 className={classes.title}>Admin Panel</h1>
        <p className={classes.sub}>
          {invitation
            ? 'Set your password'
            : forgotten
              ? 'Forgot your password?'
              : 'Sign in with your staff account'}
        </p>
        {(invitation !== undefined || forgotten) && (
          <Suspense>
            <PasswordLink
              invitation={invitation}
              onDone={(user_name) => {
                if (user_name) setCredentials({ ...credentials, username: user_name, password: '' })
                setForgotten(false)
                setInvitation(undefined)
              }}
            />
          </Suspense>
        )}
        <div hidden={invitation !== undefined || forgotten}>
          <form
            className={classes.card}
            noValidate
            onSubmit={(event) => void submit(event)}
            aria-label="Sign in"
          >
            <CredentialFields
              credentials={credentials}
              onChange={setCredentials}
              failure={failure}
              onDismiss={() => setFailure(undefined)}
              loading={loading}
            />
          </form>
          <p className={classes.help}>
            <LinkButton onClick={() => setForgotten(true)}>Forgot password?</LinkButton>
          </p>
        </div>
      </main>
      <footer className={classes.footer}>
        {config?.copyright || `© ${thisYear()} ${config?.provider ?? 'Admin Panel'}`}
      </footer>
    </div>
  )
}

/** Returns the path to open after sign-in. Only paths within this panel are allowed. */
function returnPath(search: { from?: unknown }): string {
  const { from } = search
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) && !from.startsWith('/login')
    ? from
    : '/dashboard'
}

const invitationIn = ({ invitation }: { invitation?: unknown }): string | undefined =>
  typeof invitation === 'string' && invitation !== '' ? invitation : undefined
