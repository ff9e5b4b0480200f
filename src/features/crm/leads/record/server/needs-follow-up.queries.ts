import { rejectedStatus } from '#features/crm/leads/rules.ts'

/**
 * SQL condition for leads `l` that are neither won nor rejected, and so need a follow-up. Rejected is a literal, because
 * the partial indexes of the queue exclude it.
 */
export const needsFollowUp = `l.status <> ${rejectedStatus} and l.status <> all(array(select id from lead_statuses where is_won))`
