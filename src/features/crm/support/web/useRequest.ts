import { useEffect, useEffectEvent } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { tickets } from '#features/crm/support/contract.ts'
import { requests } from '#features/crm/support/requests.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { refetch } from '#web/api/refetch.ts'
import { useMay } from '#web/api/useSend.ts'
import { listen, useChanged } from '#web/live.ts'
import { useOrganization } from '#web/organization.ts'
import { useViewer } from '#web/session.ts'

/** Returns the query of the viewer's own request, which refreshes when support replies. */
export function useRequest(id: number, org: number, enabled = true) {
  useOrganization(org)
  useRequestChanges(requests.show)
  const options = queryOptionsFor(requests.show, { params: { id, org } })
  return useQuery(enabled ? options : { ...options, enabled })
}

/** Refetches an endpoint when one of the viewer's requests changes. */
export function useRequestChanges(endpoint: { path: string }): void {
  const mayListen = useMay(tickets.changeStatus, { params: { ticket: 1, status: 0 } })
  useChanged('ticket', mayListen ? [endpoint] : [])
  const queries = useQueryClient()
  const refresh = useEffectEvent(() => refetch(queries, [endpoint]))
  const me = useViewer()?.id
  useEffect(() => {
    if (me === undefined) return
    return listen(`private-staff.${me}`, 'requests', () => refresh())
  }, [me])
}
