import type { PlainDate } from '#shared/dates.ts'
import { followupRange, type FollowupFilter } from '#features/leads/rules.ts'

/** Pure rules of the follow-up queue that server and browser both read (docs/product.md#follow-ups). */

/** The tabs of the queue, each with the code of `followup_filter` that means the same days. */
const filterOf = { overdue: 1, today: 2, next: 4 } as const satisfies Record<string, FollowupFilter>
export type FollowUpTab = keyof typeof filterOf
export const followUpTabs = Object.keys(filterOf) as [FollowUpTab, ...FollowUpTab[]]

/** The first and the last follow-up day of a tab; undefined on a side that is open. */
export const daysOfTab = (tab: FollowUpTab, today: PlainDate): { from?: PlainDate; to?: PlainDate } =>
  followupRange(filterOf[tab], today) as { from?: PlainDate; to?: PlainDate }
