import { sql } from 'kysely'
import type { z } from 'zod'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, selectOf } from '#shared/field.ts'
import {
  mostCounted,
  type Comment,
  type CommentFilters,
  type CommentThread,
} from '#features/cms/articles/comments/contract.ts'
import { commentFields } from '#features/cms/articles/comments/fields.ts'
import { policies } from '#features/cms/articles/rules.ts'
import { demandPolicy } from '#features/cms/articles/shared/server/article-kind.ts'
import type { Db } from '#server/db/db.ts'
import { cachedCountRow } from '#server/record/counted.ts'
import { conditionsOf, findPage, matchesSearch, whereAll } from '#server/record/list.ts'
import { recordKind } from '#server/record/rows.ts'

export const commentKind = recordKind({
  type: 'comment',
  table: 'post_comments',
  name: `r.sender_name || ': ' || left(r.body, 60)`,
  columns: columnsOf(commentFields),
  visibility: {
    products: { of: 'array(select a.product_id from articles a where a.id = r.post_id)' },
    scope: ({ products }) =>
      sql`exists (select from articles a where a.id = r.post_id and a.product_id = any(${products}::int[]))`,
  },
  extraColumns: {
    user_id: 'r.user_id',
    author_id: '(select a.author_id from articles a where a.id = r.post_id)',
    moderators:
      'array(select m.staff_id from category_moderators m join articles a on a.category = m.category_id where a.id = r.post_id)',
  },
  authorize: (_act, row, viewer) =>
    demandPolicy(policies.comment.remove, viewer, {
      owner_id: row.user_id,
      author_id: row['author_id'] as number,
      moderated: (row['moderators'] as number[]).includes(viewer.id),
    }),
})

type Filters = z.output<typeof CommentFilters>

/** Comments that aren't in the trash, on posts in the viewer's products, with their posts. */
const ofViewer = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('post_comments as m')
    .innerJoin('articles as a', 'a.id', 'm.post_id')
    .where('m.deleted_at', 'is', null)
    .where('a.product_id', '=', sql<number>`any(${viewer.products}::int[])`)

type OfViewer = ReturnType<typeof ofViewer>

const narrow = (of: OfViewer, filters: Omit<Filters, 'page'>) =>
  whereAll(
    of,
    conditionsOf<Filters>(
      { ...filters, page: 1 },
      {
        state: (state) => sql`m.state = ${state}`,
        search: (search) => matchesSearch('m.search', search),
      },
    ),
  )

const withPost = (of: OfViewer, viewer: Viewer) =>
  of
    .select(['m.id', 'm.user_id', 'm.sender_name', 'm.sender_email', 'm.body'])
    .select([...selectOf(commentFields, 'm'), 'm.created_at', 'm.version'])
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

const withSender = (of: OfViewer, viewer: Viewer) =>
  withPost(of, viewer).select(
    sql<number | null>`case when m.sender_email <> '' then (select count(*) from (
        select from post_comments e join articles p on p.id = e.post_id
        where e.deleted_at is null and e.sender_email <> '' and lower(e.sender_email) = lower(m.sender_email)
          and e.state = 1 and e.id <> m.id and p.product_id = any(${viewer.products}::int[]) limit 100) one) end`.as(
      'approved_earlier',
    ),
  )

/** Returns comments on posts in the viewer's products, newest first, and how many have each status. */
export async function findComments(db: Db, filters: Filters, viewer: Viewer) {
  const countOf = (state: 0 | 1 | 2) =>
    db
      .selectFrom(
        narrow(ofViewer(db, viewer), { search: filters.search, state })
          .select('m.id')
          .limit(mostCounted)
          .as('some'),
      )
      .select(({ fn }) => fn.countAll<number>().as('total'))
  const [page, counts] = await Promise.all([
    findPage(db, narrow(ofViewer(db, viewer), filters), filters.page, 20, (of) =>
      withSender(of, viewer).orderBy('m.id', 'desc'),
    ),
    cachedCountRow(
      db,
      db.selectNoFrom([countOf(0).as('pending'), countOf(1).as('approved'), countOf(2).as('spam')]).compile(),
    ),
  ])
  return { ...page, counts: { 0: counts.pending ?? 0, 1: counts.approved ?? 0, 2: counts.spam ?? 0 } }
}

/** Returns the comments on a post in the viewer's products, newest first. */
export function findCommentsOfPost(db: Db, filters: Filters, viewer: Viewer, post_id: number) {
  return findPage(
    db,
    narrow(ofViewer(db, viewer).where('m.post_id', '=', post_id), filters),
    filters.page,
    20,
    (of) => withPost(of, viewer).orderBy('m.id', 'desc'),
  )
}

const beside = 20

/** Returns a comment with its post and the comments around it; undefined if the viewer can't see it. */
export async function findThread(db: Db, id: number, viewer: Viewer): Promise<CommentThread | undefined> {
  const comment = await withSender(ofViewer(db, viewer).where('m.id', '=', id), viewer).executeTakeFirst()
  if (!comment) return undefined
  const ofPost = ofViewer(db, viewer).where('m.post_id', '=', comment.post.id)
  const [post, earlier, later] = await Promise.all([
    db
      .selectFrom('articles as a')
      .innerJoin('staff as s', 's.id', 'a.author_id')
      .select(['a.product_id', 'a.published_at'])
      .select(sql<string>`s.first_name || ' ' || s.last_name`.as('author'))
      .select((of) =>
        of
          .selectFrom('post_comments as c')
          .whereRef('c.post_id', '=', 'a.id')
          .where('c.deleted_at', 'is', null)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .$asScalar()
          .as('comments'),
      )
      .where('a.id', '=', comment.post.id)
      .executeTakeFirstOrThrow(),
    withPost(ofPost.where('m.id', '<', id), viewer)
      .orderBy('m.id', 'desc')
      .limit(beside)
      .execute(),
    withPost(ofPost.where('m.id', '>', id), viewer)
      .orderBy('m.id')
      .limit(beside)
      .execute(),
  ])
  const { approved_earlier: _sender, ...itself } = comment
  return {
    data: comment,
    post: { ...post, comments: post.comments ?? 0 },
    thread: [...earlier.toReversed(), itself, ...later],
  }
}
