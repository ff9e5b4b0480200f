import { useEffect, useState } from 'react'
import { listen } from '#web/live.ts'
import { useViewer } from '#web/session.ts'

interface Person {
  id: number
  name: string
}

/** Returns the other users who have a lead open; updated for as long as this page is open. */
export function usePresence(lead_id: number): readonly Person[] {
  const me = useViewer()?.id
  const [people, setPeople] = useState<{ lead_id: number; people: readonly Person[] }>()
  useEffect(() => {
    const channel = `private-lead.${lead_id}`
    return listen(channel, 'presence', (payload: { channel?: string; people?: Person[] }) => {
      if (payload.channel === channel) setPeople({ lead_id, people: payload.people ?? [] })
    })
  }, [lead_id])
  return people?.lead_id === lead_id ? people.people.filter(({ id }) => id !== me) : []
}
