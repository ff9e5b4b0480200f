import { z } from 'zod'
import { recordId } from '#shared/schemas.ts'
import { FollowUpFilters, FollowUpReply, followUps } from '#features/crm/leads/follow-ups/contract.ts'
import { followUpTabs } from '#features/crm/leads/follow-ups/rules.ts'
import { OnboardingListReply } from '#features/crm/onboarding/contract.ts'
import { onboardingTabNames } from '#features/crm/onboarding/rules.ts'

/**
 * The lists of /demo-leads and /on-boarding share an endpoint (A §2) and are distinguished by the tab. Each
 * page only declares its own half.
 */
export const byTab = {
  list: {
    ...followUps.listByTab,
    query: FollowUpFilters.extend({
      tab: z.enum([...followUpTabs, ...onboardingTabNames]).default('overdue'),
      stage: recordId.optional(),
    }),
    response: z.union([FollowUpReply, OnboardingListReply]),
  },
}
