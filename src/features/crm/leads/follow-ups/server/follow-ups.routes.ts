import { plainDate } from '#shared/dates.ts'
import { followUps } from '#features/crm/leads/follow-ups/contract.ts'
import { countHidden, findFollowUps } from '#features/crm/leads/follow-ups/server/follow-ups.queries.ts'
import { implement, type App } from '#server/http/implement.ts'

export function followUpRoutes(app: App): void {
  implement(app, followUps.listByTab, ({ query }, { viewer, clock }) => findFollowUps(app.pool, query, viewer, query.today ?? plainDate(clock.now())))

  implement(app, followUps.hidden, ({ query }, { viewer, clock }) => countHidden(app.pool, query, viewer, query.today ?? plainDate(clock.now())))
}
