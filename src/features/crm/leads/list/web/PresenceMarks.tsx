import { createContext, use, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { useSettled } from '#features/crm/leads/list/web/useSettled.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useViewer } from '#web/session.ts'
import { Dot } from '#web/parts/Tone.tsx'

const everyMs = 15_000
const Marks = createContext<ReadonlyMap<number, string>>(new Map())

/**
 * Provider for marking the leads in a list that other users have open. Polls for updates; the server runs
 * queries only for leads that are open.
 */
export function PresenceMarks({ ids, children }: { ids: readonly number[]; children: ReactNode }) {
  const me = useViewer()?.id
  // Presence can be loaded after the leads are on screen.
  const settled = useSettled()
  const { data } = useQuery({
    ...queryOptionsFor(leadOperations.presence, { query: { ids: [...ids] } }),
    ...(settled && ids.length ? {} : { enabled: false }),
    refetchInterval: everyMs,
    staleTime: everyMs,
  })
  const marks = new Map(
    (data?.data ?? []).flatMap(({ lead_id, people }) => {
      const others = people.filter(({ id }) => id !== me).map(({ name }) => name)
      return others.length ? [[lead_id, others.join(', ')] as const] : []
    }),
  )
  return <Marks value={marks}>{children}</Marks>
}

export function PresenceMark({ id }: { id: number }) {
  const names = use(Marks).get(id)
  if (!names) return null
  return <Dot label={`Viewing now: ${names}`} />
}
