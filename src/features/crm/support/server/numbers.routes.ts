import { plainDate } from '#shared/dates.ts'
import { periodOf } from '#shared/trend.ts'
import { ticketNumbers } from '#features/crm/support/numbers.contract.ts'
import { findTicketNumbers } from '#features/crm/support/server/numbers.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

export function ticketNumberRoutes(app: App): void {
  implement(app, ticketNumbers.show, ({ query }, { db, viewer, clock }) =>
    findTicketNumbers(db, viewer, periodOf(query.period, query.today ?? plainDate(clock.now()))),
  )
}
