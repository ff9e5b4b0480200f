import type { Reply } from '#shared/endpoint.ts'
import type { incidents, IncidentTicket } from '#features/crm/support/incidents.contract.ts'
import type { useIncidentAnswer } from '#features/crm/support/web/incidents/useIncidentAnswer.ts'
import type { Recipients } from '#features/crm/support/web/incidents/useRecipients.ts'

export type IncidentHead = NonNullable<Reply<typeof incidents.show>['data']['head']>

/** Properties of the parts of an incident's page. */
export interface IncidentProps {
  head: IncidentHead
  /** The head, and the tickets that are linked to it. */
  parts: readonly IncidentTicket[]
  recipients: Recipients
  answer: ReturnType<typeof useIncidentAnswer>
}
