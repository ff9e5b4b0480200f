import type { EndpointShape } from '#shared/endpoint.ts'
import { leads } from '#features/crm/leads/contract.ts'
import { useMay } from '#web/api/useSend.ts'
import { useChanged } from '#web/live.ts'

/** Refreshes what was asked of these endpoints when a lead changes, for who may list leads: nobody else is told of changes. */
export function useLeadsChanged(endpoints: readonly Pick<EndpointShape, 'path'>[]): void {
  const mayList = useMay(leads.list, { query: {} })
  const mayShow = useMay(leads.show)
  useChanged('leads', mayList || mayShow ? endpoints : [])
}
