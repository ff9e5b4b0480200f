import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, referencesOf, selectOf } from '#shared/field.ts'
import type { Faq, FaqFilters, FaqRow } from '#features/cms/articles/faqs/contract.ts'
import { faqFields } from '#features/cms/articles/faqs/fields.ts'
import { policies } from '#features/cms/articles/rules.ts'
import { faqCategoryTree } from '#features/cms/articles/categories/server/categories.queries.ts'
import { articlesPerPage } from '#features/cms/articles/shared/contract.ts'
import { authorColumn, moderatedColumn } from '#features/cms/articles/shared/server/article-list.queries.ts'
import {
  demandOf,
  moderatorsOf,
  type PublishedKind,
} from '#features/cms/articles/shared/server/article-kind.ts'
import { oldSlugsOf, type SlugSpace } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'
import { findPage, handledElsewhere, matchesSearch } from '#server/record/list.ts'
import { readsOf } from '#server/record/reads.ts'

export const faqKind: PublishedKind = {
  type: 'faq',
  table: 'faqs',
  name: 'r.title',
  columns: columnsOf(faqFields),
  references: referencesOf(faqFields),
  files: { video_ids: { role: 'video', most: 1 } },
  richText: ['body'],
  extraColumns: { moderators: moderatorsOf('r.category_id') },
  // Moving an FAQ shifts other FAQs (see `place_faqs` in migration 0023), so moves are serialized to prevent
  // deadlocks.
  lockName: 'faq order',
  history: { unaudited: ['first_published_at'] },
  policy: policies.faq,
  ...demandOf(policies.faq),
}

export const faqSpace: SlugSpace = { table: 'faqs', name: 'faq', ofNoProduct: true }

export const faqReads = readsOf<
  FaqRow,
  FaqFilters & { category_ids: readonly number[] },
  Omit<Faq, keyof FaqRow | 'video_file' | 'old_slugs'>
>({
  kind: faqKind,
  columns: (viewer) => sql`r.id, ${sql.raw(selectOf(faqFields, 'r').join(', '))}, r.updated_at, r.version,
    c.title as category_title, c.slug as category_slug, ${sql.raw(authorColumn)}, ${moderatedColumn('r.category_id', viewer)}`,
  details: `${selectOf(faqFields, 'r', 'detail').join(', ')}, r.created_at`,
  joins: 'join article_categories c on c.id = r.category_id join staff s on s.id = r.author_id',
  conditions: {
    category: handledElsewhere, // its ID is in `category_ids`
    search: (search) => matchesSearch('r.search', search),
    state: (state) => sql`r.published = ${state}`,
    category_ids: (ids) =>
      ids.length
        ? sql.join(
            ids.map((id) => sql`r.category_id = ${id}`),
            sql` and `,
          )
        : undefined,
  },
  order: () => sql`r.path, r.category_id, r.order_number, r.id`,
  perPage: articlesPerPage,
})

/** Returns a page of FAQs, ordered by category, as in the tree of categories, and position. */
export function findFaqs(db: Db, filters: FaqFilters, viewer: Viewer, category_ids: readonly number[] = []) {
  const where = faqReads.matching({ ...filters, category_ids }, viewer)
  // Categories come in order, and no more FAQs of each are read than fit on the pages up to this one, so that a page
  // doesn't sort all FAQs.
  const inOrder = (limit: RawBuilder<unknown>) => sql`(select r.*, tree.path from article_categories k
    left join ${faqCategoryTree} tree on tree.id = k.id
    join lateral (select r.* from faqs r where ${where} and r.category_id = k.id order by r.order_number, r.id
      limit ${filters.page * articlesPerPage}) r on true
    where k.kind = 'faq' order by tree.path, r.category_id, r.order_number, r.id ${limit})`
  return findPage(
    db,
    filters.page,
    articlesPerPage,
    (limit) => faqReads.rowsFrom(inOrder(limit), sql`r.path, r.category_id, r.order_number, r.id`, viewer),
    sql`from faqs r where ${where}`,
  )
}

/** @throws HttpError 404 */
export async function getFaq(db: Db, id: number, viewer: Viewer, links: Links): Promise<Faq> {
  const row = await faqReads.whole(db, id, viewer)
  const [videos, old_slugs] = await Promise.all([
    filesOf(db, 'faq', [id], links, 'video'),
    oldSlugsOf(db, 'faq', id),
  ])
  return { ...row, video_file: videos.get(id)?.[0] ?? null, old_slugs }
}

/** @throws HttpError 422 on `category_id` if the category does not exist. */
export async function demandCategory(db: Db, id: number): Promise<void> {
  const category = await db
    .selectFrom('article_categories')
    .select('id')
    .where('id', '=', id)
    .where('kind', '=', 'faq')
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!category) throw invalid('category_id', 'Choose an existing category.')
}

/**
 * Returns the requested position, capped at the last position. `own` is the ID of an FAQ that is already in
 * the category.
 */
export async function placeIn(db: Db, category_id: number, wanted: number, own?: number): Promise<number> {
  const { others } = await db
    .selectFrom('faqs')
    .select(sql<number>`count(*)`.as('others'))
    .where('category_id', '=', category_id)
    .where('deleted_at', 'is', null)
    .where('id', '<>', own ?? 0)
    .executeTakeFirstOrThrow()
  return Math.min(wanted, others + 1)
}
