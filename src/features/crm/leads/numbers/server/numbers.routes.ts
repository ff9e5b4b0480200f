import { plainDate } from '#shared/dates.ts'
import { periodOf } from '#shared/trend.ts'
import { leadNumbers } from '#features/crm/leads/numbers/contract.ts'
import { findLeadNumbers } from '#features/crm/leads/numbers/server/numbers.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

export function leadNumberRoutes(app: App): void {
  implement(app, leadNumbers.show, ({ query }, { db, viewer, clock }) =>
    findLeadNumbers(db, {
      products: query.lead_for === undefined ? viewer.products : [query.lead_for],
      period: periodOf(query.period, query.today ?? plainDate(clock.now())),
      viewer,
    }),
  )
}
