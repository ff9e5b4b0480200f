import type { LoginReply, session } from '#features/panel/session/contract.ts'
import { requestUntyped } from '#web/api/client.ts'
import { storeDefaultViews, storeNames, storeSession, storeUserName } from '#web/session.ts'

/** Texts from A §5. Not imported from the contract, because its schemas would make the login page larger. */
export const loginMessages = {
  bothEmpty: 'Username & Email is required.',
  usernameEmpty: 'Username is required.',
  passwordEmpty: 'Password is required.',
  loginFailed: 'These credentials do not match our records.',
} as const satisfies Partial<(typeof import('#features/panel/session/contract.ts'))['messages']>

const login = { method: 'POST', path: '/auth/login', access: 'public' } as const satisfies Pick<
  (typeof session)['login'],
  'method' | 'path' | 'access'
>

export interface Credentials {
  username: string
  password: string
  rememberMe: boolean
}

/** Returns the field that an error names, which gets the focus. */
export const fieldOf = (failure: string): 'username' | 'password' =>
  failure === loginMessages.bothEmpty || failure === loginMessages.usernameEmpty ? 'username' : 'password'

/** Returns the error in the input, if any, before a request is sent. */
export function validateCredentials({ username, password }: Credentials): string | undefined {
  const noName = username.trim() === ''
  if (noName && password === '') return loginMessages.bothEmpty
  if (noName) return loginMessages.usernameEmpty
  return password === '' ? loginMessages.passwordEmpty : undefined
}

/**
 * Signs in and stores the session; returns the error text on failure. All failures have the same text, even
 * if the server does not respond (docs/spec-gaps.md G51).
 */
export async function signIn(credentials: Credentials): Promise<LoginReply | string> {
  const missing = validateCredentials(credentials)
  if (missing) return missing
  try {
    const reply = (await requestUntyped(
      login,
      { body: { ...credentials, username: credentials.username.trim() } },
      { outsideSession: true },
    )) as LoginReply
    storeSession(reply)
    storeUserName(credentials.username.trim())
    void cacheNames()
    return reply
  } catch {
    return loginMessages.loginFailed
  }
}

const named = {
  users: { method: 'GET', path: '/admin/options/staff', access: 'signed-in' },
  organizations: { method: 'GET', path: '/common/organization/all', access: 'signed-in' },
  views: { method: 'GET', path: '/admin/views', access: 'signed-in' },
} as const

/**
 * Caches the IDs and names of users and organizations (docs/spec-gaps.md G66); on failure, the previously
 * cached ones are kept.
 */
async function cacheNames(): Promise<void> {
  const views = (await requestUntyped(named.views, {}, { outsideSession: true }).catch(() => undefined)) as
    | { data: Parameters<typeof storeDefaultViews>[0] }
    | undefined
  if (views) storeDefaultViews(views.data)
  for (const key of ['users', 'organizations'] as const) {
    const reply = (await requestUntyped(named[key], {}, { outsideSession: true }).catch(() => undefined)) as
      | { data: { id: number; name: string }[] }
      | undefined
    if (reply) storeNames(key, reply.data)
  }
}
