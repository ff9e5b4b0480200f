import { sql } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { trendOf, type Period } from '#shared/trend.ts'
import { postsCounted, type PostNumbers } from '#features/cms/articles/posts/numbers.contract.ts'
import { postReads } from '#features/cms/articles/posts/server/posts.queries.ts'
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
  const listed = (filters: Parameters<typeof postReads.matching>[0]) =>
    sql`from articles r where ${postReads.matching({ product_id, ...filters }, viewer)}`
  const [{ rows: days }, { rows: counted }] = await Promise.all([
    sql<{
      day: PlainDate
      count: number
    }>`select ${dayOf(sql`r.published_at`, viewer)} as day, count(*)::int as count
      ${listed(postsCounted.published({ from: period.before.from, to: period.to }))} group by 1`.execute(db),
    sql<{
      unpublished: number
    }>`select count(*)::int as unpublished ${listed(postsCounted.unpublished)}`.execute(db),
  ])
  const { unpublished } = counted[0]!
  return { published: trendOf(days, period), unpublished }
}
