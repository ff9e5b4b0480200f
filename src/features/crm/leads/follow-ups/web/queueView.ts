import { z } from 'zod'
import { pageNumber } from '#shared/page.ts'
import { recordId } from '#shared/schemas.ts'
import { followUpTabs } from '#features/crm/leads/follow-ups/rules.ts'

/** URL parameters for the queue; without a tab, the last viewed tab is used (A §3). */
export const QueueView = z.object({
  tab: z.enum(followUpTabs).optional(),
  assigned_filter: z.enum(['mine', 'all', 'unassigned']).default('mine'),
  /** Only the leads of this admin user. */
  crm_id: recordId.optional(),
  page: pageNumber.default(1),
})

/** Whose leads the queue shows. */
export type Whose = Pick<z.output<typeof QueueView>, 'assigned_filter' | 'crm_id'>
