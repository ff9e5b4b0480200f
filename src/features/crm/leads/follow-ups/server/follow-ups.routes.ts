import { z } from 'zod'
import { plainDate } from '#shared/dates.ts'
import { recordId } from '#shared/fields.ts'
import { FollowUpFilters, FollowUpReply, followUps } from '#features/crm/leads/follow-ups/contract.ts'
import { followUpTabs } from '#features/crm/leads/follow-ups/rules.ts'
import { countHidden, findFollowUps } from '#features/crm/leads/follow-ups/server/follow-ups.queries.ts'
import { OnboardingFilters, OnboardingListReply } from '#features/crm/onboarding/contract.ts'
import { isOnboardingTab, onboardingTabNames } from '#features/crm/onboarding/rules.ts'
import { findOnboardings } from '#features/crm/onboarding/server/onboarding.queries.ts'
import { can } from '#shared/access.ts'
import { notAllowed } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'

/** The list of /demo-leads and the one of /on-boarding are one call (A §2): the tab says which. */
const listByTab = {
  ...followUps.listByTab,
  query: FollowUpFilters.extend({ tab: z.enum([...followUpTabs, ...onboardingTabNames]).default('overdue'), stage: recordId.optional() }),
  response: z.union([FollowUpReply, OnboardingListReply]),
}

export function followUpRoutes(app: App): void {
  implement(app, listByTab, ({ query }, { db, viewer, clock }): Promise<FollowUpReply | OnboardingListReply> => {
    const { tab, stage, ...filters } = query
    if (!isOnboardingTab(tab)) return findFollowUps(app.pool, { ...filters, tab }, viewer, query.today ?? plainDate(clock.now()))
    if (!can(viewer, 'onboarding_list')) throw notAllowed()
    const { page, search, assigned_filter, lead_for } = filters
    return findOnboardings(db, OnboardingFilters.parse({ page, search, assigned_filter, lead_for, stage, tab }), viewer)
  })

  implement(app, followUps.hidden, ({ query }, { viewer, clock }) => countHidden(app.pool, query, viewer, query.today ?? plainDate(clock.now())))
}
