import { sql } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { trendOf, type Period } from '#shared/trend.ts'
import { postsCounted, type PostNumbers } from '#features/cms/articles/posts/numbers.contract.ts'
import { matching } from '#features/cms/articles/posts/server/posts.queries.ts'
import type { Db } from '#server/db/db.ts'
import { dayOf } from '#server/record/list.ts'

interface Asked {
  product_id: number | undefined
  period: Period
}

/** Returns the statistics of the posts that the viewer's list has. */
export async function findPostNumbers(
  db: Db,
  { product_id, period }: Asked,
  viewer: Viewer,
): Promise<PostNumbers> {
  const listed = (filters: Parameters<typeof matching>[1]) => matching(db, { product_id, ...filters }, viewer)
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
}
