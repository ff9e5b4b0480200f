import { leads } from '#features/crm/leads/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'

/** Pages above a lead's. */
export const leadParents = [['/demo-leads', 'Leads']] as const

export const prefetchLead = (id: number) => void prefetch(queryOptionsFor(leads.show, { query: { id } }))
