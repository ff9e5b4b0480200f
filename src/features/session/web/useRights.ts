import { useEffect } from 'react'
import { session } from '#features/session/contract.ts'
import { request } from '#web/api/client.ts'
import { queries } from '#web/api/queries.ts'
import { signedInAgain } from '#web/api/session-lost.ts'
import { joinAgain, listen, onReconnect } from '#web/live.ts'
import { storeSession } from '#web/session.ts'

/**
 * Rights are not polled (docs/spec-gaps.md G67): a live event says that they changed, and menu, buttons and lists follow.
 * An ended session asks to sign in again.
 */
export function useRights(viewerId: number | undefined): void {
  useEffect(() => {
    if (viewerId === undefined) return
    const channel = `private-staff.${viewerId}`
    const stops = [
      listen(channel, 'rights', () => void readRights()),
      listen(channel, 'session.ended', () => void signedInAgain()),
      onReconnect(() => void readRights()),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [viewerId])
}

async function readRights(): Promise<void> {
  storeSession(await request(session.adminUser))
  joinAgain()
  await queries.invalidateQueries()
}
