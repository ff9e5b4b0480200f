import { useEffect } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { requests } from '#features/crm/support/requests.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { refetchShowing } from '#web/api/refetch.ts'
import { listen } from '#web/live.ts'
import { useOrganization } from '#web/organization.ts'
import { useViewer } from '#web/session.ts'

/** Returns the query of the viewer's own request, which refreshes when support replies. */
export function useRequest(id: number, org: number, enabled = true) {
  useOrganization(org)
  useRequestChanges()
  const options = queryOptionsFor(requests.show, { params: { id, org } })
  return useQuery(enabled ? options : { ...options, enabled })
}

/** Refetches the viewer's requests when one of them changes, also for viewers who can't see tickets. */
export function useRequestChanges(): void {
  const queries = useQueryClient()
  const me = useViewer()?.id
  useEffect(() => {
    if (me === undefined) return
    return listen(`private-staff.${me}`, 'requests', () => refetchShowing(queries, ['request']))
  }, [me, queries])
}
