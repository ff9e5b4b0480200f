import { plainDate } from '#shared/dates.ts'
import { periodOf } from '#shared/trend.ts'
import { organizationNumbers } from '#features/crm/organizations/numbers.contract.ts'
import { findOrganizationNumbers } from '#features/crm/organizations/server/numbers.queries.ts'
import { compactProductSets } from '#features/crm/organizations/server/product-sets.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const everyNight = '28 3 * * *'

export function organizationNumberRoutes(app: App): void {
  app.jobs.every('organization-product-sets', everyNight, () => compactProductSets(app.db))
  implement(app, organizationNumbers.show, ({ query }, { db, viewer, clock }) => {
    const serverDay = plainDate(clock.now())
    return findOrganizationNumbers(db, viewer, periodOf(query.period, query.today ?? serverDay), serverDay)
  })
}
