import { plainDate } from '#shared/dates.ts'
import { periodOf } from '#shared/trend.ts'
import { taskNumbers } from '#features/tasks/tasks/numbers.contract.ts'
import { disciplineNames } from '#features/tasks/tasks/rules.ts'
import { findTaskNumbers } from '#features/tasks/tasks/server/numbers.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

export function taskNumberRoutes(app: App): void {
  for (const discipline of disciplineNames)
    implement(app, taskNumbers[discipline], ({ query }, { db, viewer, clock }) =>
      findTaskNumbers(
        db,
        {
          discipline,
          product_id: query.product_id,
          period: periodOf(query.period, query.today ?? plainDate(clock.now())),
        },
        viewer,
      ),
    )
}
