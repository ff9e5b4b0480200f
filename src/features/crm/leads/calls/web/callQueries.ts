import { leadCalls } from '#features/crm/leads/calls/contract.ts'
import { leadQueries } from '#features/crm/leads/record/web/patchLeadCaches.ts'

/** Endpoints to refetch after a change of a call, which can also set the lead's follow-up date. */
export const callQueries = [leadCalls.ofLead, ...leadQueries] as const
