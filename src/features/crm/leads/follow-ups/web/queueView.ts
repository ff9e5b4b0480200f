import { z } from 'zod'
import { pageNumber } from '#shared/page.ts'
import { followUpTabs } from '#features/crm/leads/follow-ups/rules.ts'

/** URL parameters for the queue; without a tab, the last viewed tab is used (A §3). */
export const QueueView = z.object({
  tab: z.enum(followUpTabs).optional(),
  assigned_filter: z.enum(['mine', 'all']).default('mine'),
  page: pageNumber.default(1),
})
