import { sql } from 'kysely'
import type { ArticleKindName } from '#shared/article-kinds.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import { handledElsewhere, matchesSearch, nullsLast } from '#server/record/list.ts'

/* Shared by the lists of all kinds of articles. */

/** Selects the articles `a` of a kind: those of one product or, without one, of all the viewer's products. */
export function articlesOf(
  db: Db,
  kind: ArticleKindName | 'post',
  product_id: number | undefined,
  { products }: Viewer,
) {
  const all = db.selectFrom('articles as a').where('a.kind', '=', kind).where('a.deleted_at', 'is', null)
  return product_id === undefined
    ? all.where('a.product_id', '=', sql<number>`any(${products}::int[])`)
    : all.where('a.product_id', '=', product_id)
}

/** Conditions of the filters that every list of articles has (`conditionsOf`). */
export const articleConditions = {
  product_id: handledElsewhere,
  search: (search: string) => matchesSearch('a.search', search),
  state: (state: number) => sql`a.published = ${state}`,
  featured: (featured: number) => sql`a.featured = ${featured}`,
  author: (id: number) => sql`a.author_id = ${id}`,
}

/** Returns how a list sorts by its column: articles that were never published have no `published_at`. */
export const orderOf = ({ column, direction }: { column: string; direction: 'asc' | 'desc' }) =>
  column === 'published_at' ? nullsLast(direction) : direction
