import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, selectOf } from '#shared/field.ts'
import {
  mostCounted,
  type Comment,
  type CommentFilters,
  type CommentRow,
  type CommentThread,
} from '#features/cms/articles/comments/contract.ts'
import { commentFields } from '#features/cms/articles/comments/fields.ts'
import { policies } from '#features/cms/articles/rules.ts'
import { demandPolicy } from '#features/cms/articles/shared/server/article-kind.ts'
import { moderatedColumn } from '#features/cms/articles/shared/server/article-list.queries.ts'
import type { Db } from '#server/db/db.ts'
import { cachedCountRow } from '#server/record/counted.ts'
import { matchesSearch, type FilterConditions } from '#server/record/list.ts'
import { readsOf } from '#server/record/reads.ts'
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
type Wanted = Filters & { post_id?: number }

const columns = (viewer: Viewer) => sql`r.id, r.user_id, r.sender_name, r.sender_email, r.body,
  ${sql.raw(selectOf(commentFields, 'r').join(', '))}, r.created_at, r.version, json_build_object('id', a.id, 'slug', a.slug,
    'title', a.title, 'product_id', a.product_id, 'author_id', a.author_id) as post,
  ${moderatedColumn('a.category', viewer)}`

const approvedEarlier = ({
  products,
}: Viewer) => sql`case when r.sender_email <> '' then (select count(*) from (
    select from post_comments e join articles p on p.id = e.post_id
    where e.deleted_at is null and e.sender_email <> '' and lower(e.sender_email) = lower(r.sender_email)
      and e.state = 1 and e.id <> r.id and p.product_id = any(${products}::int[]) limit 100) one) end as approved_earlier`

const conditions: FilterConditions<Wanted> = {
  state: (state) => sql`r.state = ${state}`,
  search: (search) => matchesSearch('r.search', search),
  post_id: (id) => sql`r.post_id = ${id}`,
}

const described = {
  kind: commentKind,
  joins: 'join articles a on a.id = r.post_id',
  conditions,
  order: () => sql`r.id desc`,
  perPage: 20,
}
const commentReads = readsOf<Comment, Wanted>({ ...described, columns })
/** Comments with what is known of their senders. */
const senderReads = readsOf<CommentRow, Wanted>({
  ...described,
  columns: (viewer) => sql`${columns(viewer)}, ${approvedEarlier(viewer)}`,
})

/** Returns comments on posts in the viewer's products, newest first, and how many have each status. */
export async function findComments(db: Db, filters: Filters, viewer: Viewer) {
  const countOf = (state: 0 | 1 | 2) => sql`(select count(*) from (select r.id from post_comments r
    where ${commentReads.matching({ search: filters.search, state }, viewer)} limit ${mostCounted}) one)`
  const [page, counts] = await Promise.all([
    senderReads.page(db, filters, viewer),
    cachedCountRow(
      db,
      sql<Record<'pending' | 'approved' | 'spam', number>>`select ${countOf(0)} as pending,
        ${countOf(1)} as approved, ${countOf(2)} as spam`.compile(db),
    ),
  ])
  return { ...page, counts: { 0: counts.pending, 1: counts.approved, 2: counts.spam } }
}

/** Returns the comments on a post in the viewer's products, newest first. */
export const findCommentsOfPost = (db: Db, filters: Filters, viewer: Viewer, post_id: number) =>
  commentReads.page(db, { ...filters, post_id }, viewer)

const beside = 20

/**
 * Returns a comment with its post and the comments around it.
 * @throws HttpError 404
 */
export async function findThread(db: Db, id: number, viewer: Viewer): Promise<CommentThread> {
  const comment = await senderReads.row(db, id, viewer)
  const ofPost = commentReads.matching({ post_id: comment.post.id }, viewer)
  const findBeside = async (condition: RawBuilder<unknown>, order: RawBuilder<unknown>) => {
    const nearest = { where: sql`${ofPost} and ${condition}`, order, limit: sql`limit ${beside}` }
    return (await commentReads.select(nearest, viewer).execute(db)).rows
  }
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
    findBeside(sql`r.id < ${id}`, sql`r.id desc`),
    findBeside(sql`r.id > ${id}`, sql`r.id`),
  ])
  const { approved_earlier: _sender, ...itself } = comment
  return {
    data: comment,
    post: { ...post, comments: post.comments ?? 0 },
    thread: [...earlier.toReversed(), itself, ...later],
  }
}
