import type { z } from 'zod'
import type { EndpointShape } from '#shared/endpoint.ts'
import type { OperationRef } from '#shared/record.contract.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { patchLeadCaches } from '#features/crm/leads/record/web/patchLeadCaches.ts'
import type { RequestInput } from '#web/api/types.ts'
import { useSend, type Send } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'

interface LeadChanged {
  operation: OperationRef | null
}
type LeadWrite = EndpointShape & { response: z.ZodType<LeadChanged> }

/**
 * Returns a function that sends a change of a lead, which can be undone.
 * @param patchOf returns the values that lists and pages show until the server has answered
 */
export function useLeadChange<E extends LeadWrite>(
  endpoint: E,
  lead_id: number,
  patchOf: (input: RequestInput<E>) => Partial<LeadRow>,
): Send<E>['send'] {
  const { keep } = useUndo()
  const { send } = useSend(endpoint, {
    onDone: (reply) => keep((reply as LeadChanged).operation),
    optimisticUpdate: (input, queries) => patchLeadCaches(queries, lead_id, patchOf(input)),
  })
  return send
}
