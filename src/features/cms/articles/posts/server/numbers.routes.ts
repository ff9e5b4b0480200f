import { sql } from 'kysely'
import { plainDate, type PlainDate } from '#shared/dates.ts'
import { periodOf, trendOf } from '#shared/trend.ts'
import { postNumbers, postsCounted } from '#features/cms/articles/posts/numbers.contract.ts'
import { matching } from '#features/cms/articles/posts/server/posts.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { dayOf } from '#server/record/list.ts'

export function postNumberRoutes(app: App): void {
  implement(app, postNumbers.show, async ({ query }, { db, viewer, clock }) => {
    const period = periodOf(query.period, query.today ?? plainDate(clock.now()))
    const listed = (filters: Parameters<typeof matching>[1]) =>
      matching(db, { product_id: query.product_id, ...filters }, viewer)
    const [days, { unpublished }] = await Promise.all([
      listed(postsCounted.published({ from: period.before.from, to: period.to }))
        .select([
          sql<PlainDate>`${dayOf(sql`a.published_at`, viewer)}`.as('day'),
          sql<number>`count(*)::int`.as('count'),
        ])
        .groupBy(sql`1`)
        .execute(),
      listed(postsCounted.unpublished)
        .select(sql<number>`count(*)::int`.as('unpublished'))
        .executeTakeFirstOrThrow(),
    ])
    return { published: trendOf(days, period), unpublished }
  })
}
