import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, referencesOf, selectOf } from '#shared/field.ts'
import { postFields } from '#features/cms/articles/posts/fields.ts'
import { announcesColumn } from '#features/cms/articles/announcing/server/announcing.queries.ts'
import {
  articleConditions,
  articlesOf,
  articleSorts,
  authorColumn,
  moderatedColumn,
} from '#features/cms/articles/shared/server/article-list.queries.ts'
import type { Post, PostFilters, PostRow } from '#features/cms/articles/posts/contract.ts'
import { policies } from '#features/cms/articles/rules.ts'
import { articlesPerPage } from '#features/cms/articles/shared/contract.ts'
import { articleKind } from '#features/cms/articles/shared/server/article-kind.ts'
import { oldSlugsOf } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'
import { dayEnd, dayStart } from '#server/record/list.ts'
import { readsOf, sortedBy } from '#server/record/reads.ts'

export const postKind = articleKind('post', {
  columns: columnsOf(postFields),
  references: referencesOf(postFields),
  policy: policies.post,
  links: { tags: { table: 'post_tag_links', own: 'article_id', other: 'tag_id' } },
})

/** Lists of the posts in a category, with a tag, or by an author. */
interface Within {
  category_id?: number
  tag_id?: number
  user_id?: number
}

export const postReads = readsOf<
  PostRow,
  PostFilters & Within,
  Omit<Post, keyof PostRow | 'image' | 'old_slugs'>
>({
  kind: postKind,
  columns: (
    viewer,
  ) => sql`r.id, r.product_id, ${sql.raw(selectOf(postFields, 'r').join(', '))}, r.updated_at, r.version,
    ${sql.raw(announcesColumn)}, c.title as category_title, c.slug as category_slug, ${sql.raw(authorColumn)},
    ${moderatedColumn('r.category', viewer)}`,
  details: `${selectOf(postFields, 'r', 'detail').join(', ')}, r.created_at, r.mail_id, array(select t.name from post_tag_links l
    join post_tags t on t.id = l.tag_id where l.article_id = r.id and t.deleted_at is null order by t.search) as tags`,
  joins: 'join article_categories c on c.id = r.category join staff s on s.id = r.author_id',
  scope: articlesOf('post'),
  conditions: (viewer) => ({
    ...articleConditions,
    category: (id) => sql`r.category = ${id}`,
    published_from: (from) => sql`r.published_at >= ${dayStart(from, viewer)}`,
    published_to: (to) => sql`r.published_at < ${dayEnd(to, viewer)}`,
    category_id: (id) => sql`r.category = ${id}`,
    user_id: (id) => sql`r.author_id = ${id}`,
    tag_id: (id) => sql`exists (select from post_tag_links l where l.article_id = r.id and l.tag_id = ${id})`,
  }),
  order: sortedBy(articleSorts, 'r.id', ['published_at']),
  perPage: articlesPerPage,
})

/** @throws HttpError 404 */
export async function getPost(db: Db, id: number, viewer: Viewer, links: Links): Promise<Post> {
  const row = await postReads.whole(db, id, viewer)
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
