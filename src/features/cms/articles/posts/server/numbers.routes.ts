import { plainDate } from '#shared/dates.ts'
import { periodOf } from '#shared/trend.ts'
import { postNumbers } from '#features/cms/articles/posts/numbers.contract.ts'
import { findPostNumbers } from '#features/cms/articles/posts/server/numbers.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

export function postNumberRoutes(app: App): void {
  implement(app, postNumbers.show, ({ query }, { db, viewer, clock }) =>
    findPostNumbers(
      db,
      {
        product_id: query.product_id,
        period: periodOf(query.period, query.today ?? plainDate(clock.now())),
      },
      viewer,
    ),
  )
}
