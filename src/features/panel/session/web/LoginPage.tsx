import { useState, type FormEvent } from 'react'
import { useRouter } from '@tanstack/react-router'
import { CredentialFields } from '#features/panel/session/web/CredentialFields.tsx'
import classes from '#features/panel/session/web/LoginPage.module.css'
import { signIn, type Credentials } from '#features/panel/session/web/signIn.ts'
import { useConfig } from '#web/config.ts'
import { storedUserName } from '#web/session.ts'
import { useDocumentTitle } from '#web/shell/title.ts'
import { thisYear } from '#web/time.ts'

/** The only page for somebody who is not signed in. */
export function LoginPage() {
  const router = useRouter()
  const provider = useConfig()?.provider
  const [credentials, setCredentials] = useState<Credentials>({ username: storedUserName(), password: '', rememberMe: false })
  const [failure, setFailure] = useState<string>()
  const [loading, setLoading] = useState(false)
  useDocumentTitle('Login')

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
    void import('#features/panel/session/web/afterSignIn.ts').then(({ loadAfterSignIn }) => loadAfterSignIn())
    router.history.replace(whereFrom(router.state.location.search))
  }

  return (
    <div className={classes.page}>
      <main className={classes.card}>
        <span className={classes.mark} aria-hidden />
        <h1 className={classes.title}>Sign in</h1>
        <p className={classes.brand}>Admin Panel</p>
        <form className={classes.form} noValidate onSubmit={(event) => void submit(event)} aria-label="Sign in">
          <CredentialFields credentials={credentials} onChange={setCredentials} failure={failure} onDismiss={() => setFailure(undefined)} loading={loading} />
        </form>
      </main>
      <footer className={classes.footer}>
        © {thisYear()} {provider ?? 'Admin Panel'}
      </footer>
    </div>
  )
}

/** Where the person wanted to go; only an address of this panel. */
function whereFrom(search: { from?: unknown }): string {
  const { from } = search
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) && !from.startsWith('/login') ? from : '/dashboard'
}
