import { plainDate } from '#shared/dates.ts'
import { leadForecast } from '#features/crm/leads/forecast/contract.ts'
import { findForecast } from '#features/crm/leads/forecast/server/forecast.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

export function leadForecastRoutes(app: App): void {
  implement(app, leadForecast.show, async ({ query }, { db, viewer, clock }) => ({
    data: await findForecast(db, {
      products: query.lead_for === undefined ? viewer.products : [query.lead_for],
      viewer,
      today: query.today ?? plainDate(clock.now()),
    }),
  }))
}
