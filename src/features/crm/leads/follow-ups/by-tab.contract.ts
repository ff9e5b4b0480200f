import { z } from 'zod'
import { recordId } from '#shared/fields.ts'
import { FollowUpFilters, FollowUpReply, followUps } from '#features/crm/leads/follow-ups/contract.ts'
import { followUpTabs } from '#features/crm/leads/follow-ups/rules.ts'
import { OnboardingListReply } from '#features/crm/onboarding/contract.ts'
import { onboardingTabNames } from '#features/crm/onboarding/rules.ts'

/** The list of /demo-leads and the one of /on-boarding are one call (A §2): the tab says which. Each page knows its own half. */
export const byTab = {
  list: {
    ...followUps.listByTab,
    query: FollowUpFilters.extend({ tab: z.enum([...followUpTabs, ...onboardingTabNames]).default('overdue'), stage: recordId.optional() }),
    response: z.union([FollowUpReply, OnboardingListReply]),
  },
}
