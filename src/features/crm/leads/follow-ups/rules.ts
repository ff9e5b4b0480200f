import { addDays, type PlainDate } from '#shared/dates.ts'
import { followupRange, type FollowupFilter } from '#features/crm/leads/rules.ts'

/** Pure rules for the follow-up queue, shared by the server and the browser (docs/product.md#follow-ups). */

/** The queue's tabs, each with the `followup_filter` code for the same days. */
const filterOf = { overdue: 1, today: 2, next: 4 } as const satisfies Record<string, FollowupFilter>
export type FollowUpTab = keyof typeof filterOf
export const followUpTabs = Object.keys(filterOf) as [FollowUpTab, ...FollowUpTab[]]

/** Returns a tab's first and last follow-up day; undefined if unbounded. */
export const daysOfTab = (tab: FollowUpTab, today: PlainDate): { from?: PlainDate; to?: PlainDate } =>
  followupRange(filterOf[tab], today) as { from?: PlainDate; to?: PlainDate }

/** Returns the tab that contains a lead with this follow-up date; undefined if none does. */
export function tabOf(followup_date: PlainDate | null, today: PlainDate): FollowUpTab | undefined {
  if (followup_date === null) return undefined
  return followUpTabs.find((tab) => {
    const { from, to } = daysOfTab(tab, today)
    return (from === undefined || followup_date >= from) && (to === undefined || followup_date <= to)
  })
}

/**
 * The notice on the lead list counts up to this many overdue leads outside the selected period; for more, it
 * says "more than".
 */
export const mostHidden = 99

/** Days that a follow-up can be snoozed to: tomorrow, or the same day next week. */
export const snoozes = {
  tomorrow: (today: PlainDate): PlainDate => addDays(today, 1),
  week: (today: PlainDate): PlainDate => addDays(today, 7),
} as const
