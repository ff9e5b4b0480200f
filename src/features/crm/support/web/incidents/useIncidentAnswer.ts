import { incidents } from '#features/crm/support/incidents.contract.ts'
import { useAnswer } from '#features/crm/support/web/answers/useAnswer.ts'
import { incidentAnswerDraft } from '#features/crm/support/web/incidents/incidentParts.ts'
import { useIsEmailOn } from '#features/crm/support/web/useTicket.ts'
import { useSend } from '#web/api/useSend.ts'

/** Returns the answer to tickets of an incident. */
export function useIncidentAnswer(ticket: number, ids: readonly number[]) {
  const { send } = useSend(incidents.answer, { failure: 'throw' })
  return useAnswer({
    draft: incidentAnswerDraft(ticket),
    ids,
    isEmailOn: useIsEmailOn(ticket),
    send: (body) => send({ params: { ticket }, body }),
  })
}
