import { useEffect } from 'react'
import { session } from '#features/panel/session/contract.ts'
import { request } from '#web/api/client.ts'
import { queries } from '#web/api/queries.ts'
import { reauthenticate } from '#web/api/session-lost.ts'
import { joinAgain, listen, onReconnect } from '#web/live.ts'
import { accessToken, storeSession } from '#web/session.ts'

/**
 * Updates the rights on a live event instead of polling (docs/spec-gaps.md G67); menu, buttons and lists follow.
 * An ended session asks to sign in again.
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
  // Another person may have signed in meanwhile; after a failed request, the next event or reconnect tries again.
  if (!answer || accessToken() !== token) return
  storeSession(answer)
  joinAgain()
  await queries.invalidateQueries()
}
