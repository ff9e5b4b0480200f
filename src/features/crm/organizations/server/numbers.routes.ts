import { plainDate } from '#shared/dates.ts'
import { periodOf } from '#shared/trend.ts'
import { organizationNumbers } from '#features/crm/organizations/numbers.contract.ts'
import { findOrganizationNumbers } from '#features/crm/organizations/server/numbers.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

export function organizationNumberRoutes(app: App): void {
  implement(app, organizationNumbers.show, ({ query }, { db, viewer, clock }) => {
    const serverDay = plainDate(clock.now())
    return findOrganizationNumbers(db, viewer, periodOf(query.period, query.today ?? serverDay), serverDay)
  })
}
