import { createHash } from 'node:crypto'
import { messages, session } from '#features/panel/session/contract.ts'
import { findForLogin, getSessionReply, isUnchanged } from '#features/panel/session/server/session.queries.ts'
import { countAttempts, type Attempts } from '#features/panel/session/server/attempts.ts'
import { HttpError, invalid } from '#server/http/errors.ts'
import type { App, Handler, Preparation } from '#server/app.ts'
import { implementPrepared } from '#server/http/implement.ts'
import { openSession } from '#server/http/session.ts'
import { writeSignIns, type SignIn } from '#server/http/sign-ins.ts'
import { hashOfNone, verifyPassword } from '#server/secrets/passwords.ts'

/** The account that a sign-in names. */
type Account = NonNullable<Awaited<ReturnType<typeof findForLogin>>>

const checkPassword =
  (attempts: Attempts, unknownHash: string): Preparation<typeof session.login, Account> =>
  async ({ body }, { app, db, request }) => {
    if (body.username === '' && body.password === '')
      throw new HttpError(422, messages.bothEmpty, { errors: { username: [messages.bothEmpty] } })
    if (body.username === '') throw invalid('username', messages.usernameEmpty)
    if (body.password === '') throw invalid('password', messages.passwordEmpty)
    const user_agent = request.headers['user-agent'] ?? ''
    const person = await findForLogin(db, body.username, { address: request.ip, user_agent })
    const logSignIn = (outcome: SignIn['outcome']) =>
      writeSignIns(db, [
        { staff_id: person?.id, outcome, address: request.ip, user_agent, at: app.clock.now() },
      ])
    const attempt = await attempts.begin(
      accountOf(person, body.username, request.ip, user_agent),
      // Other people at the same IP address, such as behind the same router, cannot lock out a known device.
      person?.known_here ? undefined : { kind: 'login', address: request.ip },
      () => logSignIn('locked'),
    )
    const fits = await verifyPassword(body.password, person?.password_hash ?? unknownHash)
    if (!person || !fits || person.banned_at !== null) {
      await logSignIn('refused')
      throw new HttpError(401, messages.loginFailed)
    }
    await attempt.succeeded()
    return person
  }

const signIn: Handler<typeof session.login, Account> = async (
  { body },
  { app, db, clock, request, actAs, audit, prepared: person },
) => {
  // The password or email may have changed since it was checked.
  if (!(await isUnchanged(db, person))) throw new HttpError(401, messages.loginFailed)
  const opened = await openSession(db, {
    staff_id: person.id,
    remember: body.rememberMe,
    address: request.ip,
    user_agent: request.headers['user-agent'] ?? '',
    now: clock.now(),
    expires: app.sessions.expiryOf({ remember: body.rememberMe }),
  })
  actAs(person.id)
  audit({ target: 'session', id: opened.id, after: { remember: body.rememberMe } })
  return { token: opened.token, ...(await getSessionReply(db, person.id)) }
}

export function signInRoutes(app: App): void {
  const attempts = countAttempts(app)
  // Verified for unknown users, so that responses take equally long for known and unknown users.
  implementPrepared(app, session.login, checkPassword(attempts, hashOfNone()), signIn)
}

/**
 * Returns the key by which sign-in attempts are counted: the account, whether its username or its email
 * address was entered. If the person has signed in from this device before, only attempts from this device
 * count, so that strangers cannot lock them out.
 */
function accountOf(
  person: { id: number; known_here: boolean } | undefined,
  typed: string,
  address: string,
  user_agent: string,
): string {
  if (!person) return `login:unknown:${typed.toLowerCase()}`
  if (!person.known_here) return `login:${person.id}`
  const device = createHash('sha256').update(user_agent).digest('hex').slice(0, 16)
  return `login:${person.id}@${address} ${device}`
}
