import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { ArticleKind } from '#features/cms/articles/shared/server/article-kind.ts'
import { handledElsewhere, matchesSearch } from '#server/record/list.ts'

/* Shared by the reads of all kinds of articles. */

/** Limits a list to the articles of one product or, without one, of all the viewer's products. */
export const articlesOf =
  (kind: ArticleKind) =>
  ({ product_id }: { product_id?: number | undefined }, { products }: Viewer): RawBuilder<unknown> =>
    sql`r.kind = ${kind} and ${product_id === undefined ? sql`r.product_id = any(${products}::int[])` : sql`r.product_id = ${product_id}`}`

/** Conditions of the filters that every list of articles has. */
export const articleConditions = {
  product_id: handledElsewhere,
  search: (search: string) => matchesSearch('r.search', search),
  state: (state: number) => sql`r.published = ${state}`,
  featured: (featured: number) => sql`r.featured = ${featured}`,
  author: (id: number) => sql`r.author_id = ${id}`,
}

/** The columns that every list of articles can be sorted by. */
export const articleSorts = {
  id: 'r.id',
  title: 'r.search',
  published_at: 'r.published_at',
  updated_at: 'r.updated_at',
} as const

/** The author in replies; `s` is their row. */
export const authorColumn = `json_build_object('id', s.id, 'slug', s.slug, 'name', s.name) as author`

/** Whether the viewer is a moderator of a category. */
export const moderatedColumn = (category: string, { id }: Viewer) =>
  sql`exists(select from category_moderators m where m.category_id = ${sql.ref(category)} and m.staff_id = ${id}) as moderated`
