import { leadContacts } from '#features/crm/leads/contacts/contract.ts'
import { leadQueries } from '#features/crm/leads/record/web/patchLeadCaches.ts'

/** Endpoints to refetch after a change of a contact: also the recipients that emails to the lead can have. */
export const contactQueries = [
  leadContacts.ofLead,
  { path: '/admin/mails/{type}/{id}/people' },
  ...leadQueries,
] as const
