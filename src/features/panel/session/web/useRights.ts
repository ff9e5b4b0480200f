import { useEffect } from 'react'
import { session } from '#features/panel/session/contract.ts'
import { request } from '#web/api/client.ts'
import { queries } from '#web/api/queries.ts'
import { reauthenticate } from '#web/api/session-lost.ts'
import { joinAgain, listen, onReconnect } from '#web/live.ts'
import { accessToken, storeSession } from '#web/session.ts'

/**
 * Updates the viewer's permissions on a live event instead of polling (docs/spec-gaps.md G67), along with the
 * menu, buttons, and lists. If the session has ended, prompts the user to sign in again.
 */
export function useRights(viewerId: number | undefined): void {
  useEffect(() => {
    if (viewerId === undefined) return
    const channel = `private-staff.${viewerId}`
    const stops = [
      listen(channel, 'rights', () => void readRights()),
      listen(channel, 'session.ended', () => void reauthenticate()),
      onReconnect(() => void readRights()),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [viewerId])
}

async function readRights(): Promise<void> {
  const token = accessToken()
  const answer = await request(session.adminUser).catch(() => undefined)
  // Another user may have signed in during the request. After a failed request, the next event or reconnect
  // tries again.
  if (!answer || accessToken() !== token) return
  storeSession(answer)
  joinAgain()
  await queries.invalidateQueries()
}
