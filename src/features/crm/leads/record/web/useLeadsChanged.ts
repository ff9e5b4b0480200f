import type { EndpointShape } from '#shared/endpoint.ts'
import { leads } from '#features/crm/leads/contract.ts'
import { useMay } from '#web/api/useSend.ts'
import { useChanged } from '#web/live.ts'

/**
 * Refetches these endpoints when a lead changes, if the viewer can see leads: other viewers receive no such
 * events.
 */
export function useLeadsChanged(endpoints: readonly Pick<EndpointShape, 'path'>[]): void {
  const mayList = useMay(leads.list, { query: {} })
  const mayShow = useMay(leads.show)
  useChanged('leads', mayList || mayShow ? endpoints : [])
}
