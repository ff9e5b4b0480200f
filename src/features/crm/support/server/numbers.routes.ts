import { plainDate } from '#shared/dates.ts'
import { periodOf } from '#shared/trend.ts'
import { ticketNumbers } from '#features/crm/support/numbers.contract.ts'
import { findTicketNumbers } from '#features/crm/support/server/numbers.queries.ts'
import { compactOpenTickets } from '#features/crm/support/server/open-ticket-counts.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const everyNight = '26 3 * * *'

export function ticketNumberRoutes(app: App): void {
  app.jobs.every('open-ticket-counts', everyNight, () => compactOpenTickets(app.db))
  implement(app, ticketNumbers.show, ({ query }, { db, viewer, clock }) =>
    findTicketNumbers(db, viewer, periodOf(query.period, query.today ?? plainDate(clock.now()))),
  )
}
