import { sql, type SelectQueryBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, referencesOf, selectOf } from '#shared/field.ts'
import { postFields } from '#features/cms/articles/posts/fields.ts'
import { announces } from '#features/cms/articles/announcing/server/announcing.queries.ts'
import {
  articleConditions,
  articlesOf,
  orderOf,
} from '#features/cms/articles/shared/server/article-list.queries.ts'
import type { Post, PostFilters, PostRow } from '#features/cms/articles/posts/contract.ts'
import { policies } from '#features/cms/articles/rules.ts'
import { articlesPerPage } from '#features/cms/articles/shared/contract.ts'
import { articleKind } from '#features/cms/articles/shared/server/article-kind.ts'
import { oldSlugsOf } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Database, Db } from '#server/db/db.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'
import { conditionsOf, dayEnd, dayStart, findPage, whereAll } from '#server/record/list.ts'

export const postKind = articleKind('post', {
  columns: columnsOf(postFields),
  references: referencesOf(postFields),
  policy: policies.post,
  links: { tags: { table: 'post_tag_links', own: 'article_id', other: 'tag_id' } },
})

interface Within {
  category_id?: number
  tag_id?: number
  user_id?: number
}

export function matching(
  db: Db,
  filters: Partial<PostFilters>,
  viewer: Viewer,
  { category_id, tag_id, user_id }: Within = {},
) {
  let matches = whereAll(
    articlesOf(db, 'post', filters.product_id, viewer),
    conditionsOf<PostFilters>(filters, {
      ...articleConditions,
      category: (id) => sql`a.category = ${id}`,
      published_from: (from) => sql`a.published_at >= ${dayStart(from, viewer)}`,
      published_to: (to) => sql`a.published_at < ${dayEnd(to, viewer)}`,
    }),
  )
  if (category_id !== undefined) matches = matches.where('a.category', '=', category_id)
  if (user_id !== undefined) matches = matches.where('a.author_id', '=', user_id)
  if (tag_id !== undefined)
    matches = matches.where((of) =>
      of.exists(
        of
          .selectFrom('post_tag_links as l')
          .whereRef('l.article_id', '=', 'a.id')
          .where('l.tag_id', '=', tag_id)
          .select('l.tag_id'),
      ),
    )
  return matches
}

const sorts = {
  id: 'a.id',
  title: 'a.search',
  published_at: 'a.published_at',
  updated_at: 'a.updated_at',
} as const

type Posts = SelectQueryBuilder<Database & { a: Database['articles'] }, 'a', {}>

/** Only posts must have a category, so its type is given below. */
const { category: _category, ...plainFields } = postFields

const shown = (matches: Posts, viewer: Viewer) =>
  matches
    .innerJoin('article_categories as c', 'c.id', 'a.category')
    .innerJoin('staff as s', 's.id', 'a.author_id')
    .select(['a.id', 'a.product_id', ...selectOf(plainFields, 'a'), 'a.updated_at', 'a.version'])
    .select(announces.as('announces'))
    .select(['c.id as category', 'c.title as category_title', 'c.slug as category_slug'])
    .select(
      sql<PostRow['author']>`json_build_object('id', s.id, 'slug', s.slug, 'name', s.name)`.as('author'),
    )
    .select(
      sql<boolean>`exists(select from category_moderators m where m.category_id = a.category and m.staff_id = ${viewer.id})`.as(
        'moderated',
      ),
    )

/** Returns a page of posts, limited to a category, tag, or author if given. */
export const findPosts = (db: Db, filters: PostFilters, viewer: Viewer, within: Within = {}) =>
  findPage(db, matching(db, filters, viewer, within), filters.page, articlesPerPage, (matches) =>
    shown(matches, viewer)
      .orderBy(sorts[filters.column], orderOf(filters))
      .orderBy('a.id', filters.direction),
  )

const own = (db: Db, id: number) =>
  db
    .selectFrom('articles as a')
    .where('a.id', '=', id)
    .where('a.kind', '=', 'post')
    .where('a.deleted_at', 'is', null)

/** @throws HttpError 404 */
export async function getPostRow(db: Db, id: number, viewer: Viewer): Promise<PostRow> {
  const row = await shown(own(db, id), viewer).executeTakeFirst()
  if (!row) throw notFound('Post not found.')
  return row
}

/** @throws HttpError 404 */
export async function getPost(db: Db, id: number, viewer: Viewer, links: Links): Promise<Post> {
  const row = await shown(own(db, id), viewer)
    .select([...selectOf(plainFields, 'a', 'detail'), 'a.created_at', 'a.mail_id'])
    .select(
      sql<
        string[]
      >`array(select t.name from post_tag_links l join post_tags t on t.id = l.tag_id where l.article_id = a.id and t.deleted_at is null order by t.search)`.as(
        'tags',
      ),
    )
    .executeTakeFirst()
  if (!row) throw notFound('Post not found.')
  const [images, old_slugs] = await Promise.all([
    filesOf(db, 'post', [id], links, 'image'),
    oldSlugsOf(db, 'post', id),
  ])
  return { ...row, image: images.get(id)?.[0] ?? null, old_slugs }
}

const mostNamed = 5000

/** Returns the IDs and names of posts, newest first. */
export const nameAllPosts = (db: Db, product_id: number | undefined, viewer: Viewer) =>
  db
    .selectFrom('articles')
    .select(['id', 'slug', 'title', 'published'])
    .where('kind', '=', 'post')
    .where('deleted_at', 'is', null)
    .where('product_id', '=', product_id ?? sql<number>`any(${viewer.products}::int[])`)
    .orderBy('id', 'desc')
    .limit(mostNamed)
    .execute()

const mostNamedSame = 5

/**
 * Returns the titles of a product's other posts that have the same text in a field, ignoring case; none for
 * an empty string.
 */
export async function titlesWithSame(
  db: Db,
  field: 'meta_title' | 'meta_description',
  text: string,
  { product_id, except }: { product_id: number; except?: number | undefined },
): Promise<string[]> {
  if (text === '') return []
  const rows = await db
    .selectFrom('articles')
    .select('title')
    .where('kind', '=', 'post')
    .where('product_id', '=', product_id)
    .where('deleted_at', 'is', null)
    .where(field, '<>', '')
    .where(sql<boolean>`md5(lower(${sql.ref(field)})) = md5(lower(${text}))`)
    .where('id', '<>', except ?? 0)
    .orderBy('id', 'desc')
    .limit(mostNamedSame)
    .execute()
  return rows.map(({ title }) => title)
}

/**
 * Returns the category for a post.
 * @throws HttpError 422 on the field if the category doesn't exist or belongs to another product.
 */
export async function categoryFor(
  db: Db,
  id: number,
  product_id: number | undefined,
  viewer: Viewer,
): Promise<{ product_id: number; moderated: boolean }> {
  const category = await db
    .selectFrom('article_categories as c')
    .select([
      sql<number>`c.product_id`.as('product_id'),
      sql<boolean>`exists(select from category_moderators m where m.category_id = c.id and m.staff_id = ${viewer.id})`.as(
        'moderated',
      ),
    ])
    .where('id', '=', id)
    .where('kind', '=', 'post')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!category || !viewer.products.includes(category.product_id))
    throw invalid('category', 'Choose an existing category.')
  if (product_id !== undefined && category.product_id !== product_id)
    throw invalid('category', 'Choose a category in this product.')
  return category
}
