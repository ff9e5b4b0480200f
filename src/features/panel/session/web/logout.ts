import { session } from '#features/panel/session/contract.ts'
import { request } from '#web/api/client.ts'
import { forgetViewer } from '#web/record/forgetViewer.ts'
import { accessToken, clearAfterLogout, clearBeforeLogout, removeDrafts } from '#web/session.ts'

const logoutTimeoutMs = 10_000

/**
 * Ends the session in the specified order (A §4, docs/spec-gaps.md G03): clear drafts and some stored values,
 * send the request while the token is still stored, navigate, and clear the rest.
 */
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
  // If another user has signed in since, the stored values are theirs.
  if (accessToken() !== token) return
  clearAfterLogout()
  forgetViewer()
}
