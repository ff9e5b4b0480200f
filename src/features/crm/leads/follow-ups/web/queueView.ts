import { z } from 'zod'
import { pageNumber } from '#shared/page.ts'
import { followUpTabs } from '#features/crm/leads/follow-ups/rules.ts'

/** What stands in the address of the queue; without a tab, the one that was looked at last counts (A §3). */
export const QueueView = z.object({
  tab: z.enum(followUpTabs).optional(),
  assigned_filter: z.enum(['mine', 'all']).default('mine'),
  page: pageNumber.default(1),
})
