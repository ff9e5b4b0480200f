import { plainDate } from '#shared/dates.ts'
import { byTab } from '#features/crm/leads/follow-ups/by-tab.contract.ts'
import { followUps, type FollowUpReply } from '#features/crm/leads/follow-ups/contract.ts'
import { countHidden, findFollowUps } from '#features/crm/leads/follow-ups/server/follow-ups.queries.ts'
import { OnboardingFilters, type OnboardingListReply } from '#features/crm/onboarding/contract.ts'
import { isOnboardingTab } from '#features/crm/onboarding/rules.ts'
import { findOnboardings } from '#features/crm/onboarding/server/onboarding.queries.ts'
import { can } from '#shared/access.ts'
import { notAllowed } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

export function followUpRoutes(app: App): void {
  implement(
    app,
    byTab.list,
    ({ query }, { db, viewer, clock }): Promise<FollowUpReply | OnboardingListReply> => {
      const { tab, stage, ...filters } = query
      if (!can(viewer, isOnboardingTab(tab) ? 'onboarding_list' : 'lead_list')) throw notAllowed()
      if (!isOnboardingTab(tab))
        return findFollowUps(app.pool, { ...filters, tab }, viewer, query.today ?? plainDate(clock.now()))
      const { page, search, assigned_filter, lead_for } = filters
      return findOnboardings(
        db,
        OnboardingFilters.parse({ page, search, assigned_filter, lead_for, stage, tab }),
        viewer,
      )
    },
  )

  implement(app, followUps.hidden, ({ query }, { viewer, clock }) =>
    countHidden(app.pool, query, viewer, query.today ?? plainDate(clock.now())),
  )
}
