import { plainDate } from '#shared/dates.ts'
import { compactOpenTasks, findWorkload } from '#features/tasks/tasks/server/workload.queries.ts'
import { workload } from '#features/tasks/tasks/workload.contract.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const everyNight = '32 3 * * *'

export function workloadRoutes(app: App): void {
  app.jobs.every('open-task-counts', everyNight, () => compactOpenTasks(app.db))
  implement(app, workload.show, ({ query }, { db, viewer, clock }) =>
    findWorkload(
      db,
      viewer,
      query.product_id === undefined ? viewer.products : [query.product_id],
      query.today ?? plainDate(clock.now()),
    ),
  )
}
