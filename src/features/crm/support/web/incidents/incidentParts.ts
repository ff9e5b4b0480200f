import type { Reply } from '#shared/endpoint.ts'
import type { incidents, IncidentTicket } from '#features/crm/support/incidents.contract.ts'
import type { Answer } from '#features/crm/support/web/answers/useAnswer.ts'
import type { Recipients } from '#features/crm/support/web/answers/useRecipients.ts'

export type IncidentHead = NonNullable<Reply<typeof incidents.show>['data']['head']>

/** Properties of the parts of an incident's page. */
export interface IncidentProps {
  head: IncidentHead
  /** The head, and the tickets that are linked to it. */
  parts: readonly IncidentTicket[]
  recipients: Recipients
  answer: Answer
}

/** Name of the draft of an answer to an incident's tickets. */
export const incidentAnswerDraft = (incident: number) => `incident-answer-${incident}`

/** Name of the draft of a note on an incident's tickets. */
export const incidentNoteDraft = (incident: number) => `incident-note-${incident}`
