import { sql } from 'kysely'
import type { z } from 'zod'
import type { Viewer } from '#shared/endpoint.ts'
import type { Category, CategoryFilters, CategoryRow } from '#features/cms/articles/categories/contract.ts'
import { policies } from '#features/cms/articles/rules.ts'
import { demandPolicy, moderatorsOf } from '#features/cms/articles/shared/server/articles.queries.ts'
import { oldSlugsOf, type SlugSpace } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { filesOf, type Links } from '#server/record-files.ts'
import { anywhere } from '#server/record/list.ts'
import type { RecordKind } from '#server/record/rows.ts'

/*
 * Trees of categories: of posts, and whatever else has its rows in `article_categories`.
 */

export type CategoryKind = 'post' | 'faq'

export const categoryKind: RecordKind = {
  type: 'category',
  table: 'article_categories',
  name: 'r.title',
  columns: ['slug', 'title', 'description', 'meta_title', 'meta_description', 'meta_keyword', 'icon', 'parent_id'],
  scope: ({ products }) => sql`r.kind = 'post' and r.product_id = any(${products}::int[])`,
  also: { moderators: moderatorsOf('r.id'), product_id: 'r.product_id' },
  demand: (act, row, viewer) =>
    demandPolicy(policies.category[act === 'remove' ? 'remove' : 'update'], viewer, { moderated: (row['moderators'] as number[]).includes(viewer.id) }),
}

export const categorySpace = (kind: CategoryKind, product_id?: number): SlugSpace => ({
  table: 'article_categories',
  kind,
  name: `category-${kind}`,
  ...(product_id === undefined ? {} : { product_id }),
})

const perPage = 20
const counts = sql`(select count(*) from articles a where a.category = c.id and a.deleted_at is null) as total_posts,
  (select count(*) from articles a where a.category = c.id and a.deleted_at is null and a.published = 1) as published_posts`
const moderated = (viewer: Viewer) => sql`exists(select from category_moderators m where m.category_id = c.id and m.staff_id = ${viewer.id}) as moderated`
const ofProducts = (product_id: number | undefined, viewer: Viewer) =>
  sql`c.product_id = any(${product_id === undefined ? viewer.products : [product_id]}::int[])`

/** A page of the tree in its order; of a search, what fits with how deep it lies. */
export async function findCategories(
  db: Db,
  { page, product_id, search }: z.output<typeof CategoryFilters>,
  viewer: Viewer,
): Promise<{ data: CategoryRow[]; total: number; per_page: number }> {
  const fits = search === '' ? sql`true` : sql`c.search like ${anywhere(search)}`
  const living = sql`c.kind = 'post' and c.deleted_at is null and ${ofProducts(product_id, viewer)}`
  const [{ rows }, total] = await Promise.all([
    sql<CategoryRow>`with recursive tree as (
        select c.id, 0 as depth, array[c.search || ' ' || c.id] as path from article_categories c
          where ${living} and not exists (select from article_categories p where p.id = c.parent_id and p.deleted_at is null)
        union all
        select c.id, t.depth + 1, t.path || (c.search || ' ' || c.id) from article_categories c join tree t on c.parent_id = t.id where c.deleted_at is null
      ), page as (
        select t.id, t.depth, t.path from tree t join article_categories c on c.id = t.id where ${fits} order by t.path limit ${perPage} offset ${(page - 1) * perPage}
      )
      select c.id, c.product_id, c.title, c.slug, c.icon, c.parent_id, page.depth, ${counts}, ${moderated(viewer)}, c.updated_at, c.version
      from page join article_categories c on c.id = page.id order by page.path`.execute(db),
    sql<{ total: number }>`select count(*) as total from article_categories c where ${living} and ${fits}`.execute(db),
  ])
  return { data: rows, total: total.rows[0]!.total, per_page: perPage }
}

/** @throws HttpError 404 */
export async function getCategory(db: Db, id: number, viewer: Viewer, links: Links): Promise<Category> {
  const { rows } = await sql<Omit<Category, 'icon_file' | 'old_slugs'>>`
    select c.id, c.product_id, c.title, c.slug, c.icon, c.parent_id, p.title as parent_title, c.description, c.meta_title, c.meta_description, c.meta_keyword,
      ${counts}, ${moderated(viewer)}, c.updated_at, c.version
    from article_categories c left join article_categories p on p.id = c.parent_id
    where c.id = ${id} and c.kind = 'post' and c.deleted_at is null and ${ofProducts(undefined, viewer)}`.execute(db)
  const category = rows[0]
  if (!category) throw notFound('Category')
  const [icons, old_slugs] = await Promise.all([filesOf(db, 'category', [id], links, 'icon'), oldSlugsOf(db, 'category-post', id)])
  return { ...category, icon_file: icons.get(id)?.[0] ?? null, old_slugs }
}

/** What lies below a category, itself among it, as a set of ids in SQL. */
const below = (id: number) =>
  sql`(with recursive low as (select ${id}::int as id union select k.id from article_categories k join low on k.parent_id = low.id) select id from low)`

/** Categories by name; `without` and what lies below it are left out; with `below`, only those that lie below one. */
export async function searchCategories(
  db: Db,
  kind: CategoryKind,
  { q, product_id, without, children }: { q: string; product_id?: number | undefined; without?: number | undefined; children?: boolean },
  viewer: Viewer,
): Promise<{ id: number; title: string; slug: string; product_id: number }[]> {
  const { rows } = await sql<{ id: number; title: string; slug: string; product_id: number }>`
    select c.id, c.title, c.slug, c.product_id from article_categories c
    where c.kind = ${kind} and c.deleted_at is null and ${ofProducts(product_id, viewer)} and c.search like ${anywhere(q)}
      and ${without === undefined ? sql`true` : sql`c.id not in ${below(without)}`} and ${children ? sql`c.parent_id is not null` : sql`true`}
    order by c.search, c.id limit 100`.execute(db)
  return rows
}

/**
 * Whether a category may stand below another. Who moves something in the same tree waits.
 * @throws HttpError 422 at `parent_id` for none, another product's, and a circle, with the way round.
 */
export async function demandParent(db: Db, kind: CategoryKind, product_id: number, parent_id: number, own?: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`tree ${kind} ${product_id}`}))`.execute(db)
  const { rows } = await sql<{ id: number; title: string; product_id: number; kind: string }>`
    with recursive up as (
      select c.id, c.title, c.parent_id, c.product_id, c.kind, 1 as step from article_categories c where c.id = ${parent_id} and c.deleted_at is null
      union all
      select c.id, c.title, c.parent_id, c.product_id, c.kind, up.step + 1 from article_categories c join up on c.id = up.parent_id where up.step < 1000
    ) select id, title, product_id, kind from up order by step`.execute(db)
  const parent = rows[0]
  if (!parent || parent.kind !== kind) throw invalid('parent_id', 'There is no such category to choose.')
  if (parent.product_id !== product_id) throw invalid('parent_id', 'This category belongs to another product.')
  const at = rows.findIndex(({ id }) => id === own)
  if (own !== undefined && at >= 0) {
    const names = rows.slice(0, at + 1).map(({ title }) => title)
    throw invalid('parent_id', `That would be a circle: ${[...names.toReversed(), names.at(-1)].join(' › ')}.`)
  }
}

export interface InUse {
  posts: number
  children: number
}

/** What a category would leave behind. */
export async function usesOf(db: Db, id: number): Promise<InUse> {
  const { rows } = await sql<InUse>`select (select count(*) from articles where category = ${id} and deleted_at is null) as posts,
    (select count(*) from article_categories where parent_id = ${id} and deleted_at is null) as children`.execute(db)
  return rows[0]!
}

export const moderatorsIn = (db: Db, category_id: number) =>
  db
    .selectFrom('category_moderators as m')
    .innerJoin('staff as s', 's.id', 'm.staff_id')
    .select(['s.id', sql<string>`s.first_name || ' ' || s.last_name`.as('name')])
    .where('m.category_id', '=', category_id)
    .orderBy('s.first_name')
    .orderBy('s.id')
    .execute()
