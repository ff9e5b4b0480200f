import { session } from '#features/panel/session/contract.ts'
import { request } from '#web/api/client.ts'
import { queries } from '#web/api/queries.ts'
import { accessToken, clearAfterLogout, clearBeforeLogout, removeDrafts } from '#web/session.ts'

const logoutTimeoutMs = 10_000

/** Ends the session in the specified order (A §4, docs/spec-gaps.md G03): clear, send with the token still stored, navigate, clear the rest. */
export async function logout(goToLogin: () => void): Promise<void> {
  const token = accessToken()
  removeDrafts()
  clearBeforeLogout()
  const sent = request(
    session.logout,
    {},
    { outsideSession: true, signal: AbortSignal.timeout(logoutTimeoutMs) },
  )
  goToLogin()
  await sent.catch(() => undefined)
  // Another user could have signed in since: the stored values are then theirs.
  if (accessToken() !== token) return
  clearAfterLogout()
  queries.clear()
}
