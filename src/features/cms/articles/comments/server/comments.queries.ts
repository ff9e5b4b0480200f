import { sql } from 'kysely'
import type { z } from 'zod'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, selectOf } from '#shared/field.ts'
import type { Comment, CommentFilters } from '#features/cms/articles/comments/contract.ts'
import { commentFields } from '#features/cms/articles/comments/fields.ts'
import { policies } from '#features/cms/articles/rules.ts'
import { demandPolicy } from '#features/cms/articles/shared/server/articles.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conditionsOf, findPage, matchesSearch, whereAll } from '#server/record/list.ts'
import type { RecordKind } from '#server/record/rows.ts'

export const commentKind: RecordKind = {
  type: 'comment',
  table: 'post_comments',
  name: `r.sender_name || ': ' || left(r.body, 60)`,
  columns: columnsOf(commentFields),
  products: { of: 'array(select a.product_id from articles a where a.id = r.post_id)' },
  scope: ({ products }) =>
    sql`exists (select from articles a where a.id = r.post_id and a.product_id = any(${products}::int[]))`,
  extraColumns: {
    user_id: 'r.user_id',
    author_id: '(select a.author_id from articles a where a.id = r.post_id)',
    moderators:
      'array(select m.staff_id from category_moderators m join articles a on a.category = m.category_id where a.id = r.post_id)',
  },
  authorize: (_act, row, viewer) =>
    demandPolicy(policies.comment.remove, viewer, {
      owner_id: row['user_id'] as number | null,
      author_id: row['author_id'] as number,
      moderated: (row['moderators'] as number[]).includes(viewer.id),
    }),
}

/**
 * Returns comments on posts in the viewer's products, newest first; with `post_id`, only those on that post.
 */
export function findComments(
  db: Db,
  filters: z.output<typeof CommentFilters>,
  viewer: Viewer,
  post_id?: number,
) {
  const ofProducts = db
    .selectFrom('post_comments as m')
    .innerJoin('articles as a', 'a.id', 'm.post_id')
    .where('m.deleted_at', 'is', null)
    .where('a.product_id', '=', sql<number>`any(${viewer.products}::int[])`)
  const matches = whereAll(
    post_id === undefined ? ofProducts : ofProducts.where('m.post_id', '=', post_id),
    conditionsOf<z.output<typeof CommentFilters>>(filters, {
      state: (state) => sql`m.state = ${state}`,
      search: (search) => matchesSearch('m.search', search),
    }),
  )
  return findPage(db, matches, filters.page, 20, (of) =>
    of
      .select([
        'm.id',
        'm.user_id',
        'm.sender_name',
        'm.sender_email',
        'm.body',
        ...selectOf(commentFields, 'm'),
        'm.created_at',
        'm.version',
      ])
      .select(
        sql<
          Comment['post']
        >`json_build_object('id', a.id, 'slug', a.slug, 'title', a.title, 'product_id', a.product_id, 'author_id', a.author_id)`.as(
          'post',
        ),
      )
      .select(
        sql<boolean>`exists(select from category_moderators k where k.category_id = a.category and k.staff_id = ${viewer.id})`.as(
          'moderated',
        ),
      )
      .orderBy('m.id', 'desc'),
  )
}
