import { sql, type SelectQueryBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, referencesOf, selectOf } from '#shared/field.ts'
import type { Faq, FaqFilters, FaqRow } from '#features/cms/articles/faqs/contract.ts'
import { faqFields } from '#features/cms/articles/faqs/fields.ts'
import { policies } from '#features/cms/articles/rules.ts'
import { faqCategoryTree } from '#features/cms/articles/categories/server/categories.queries.ts'
import { articlesPerPage } from '#features/cms/articles/shared/contract.ts'
import {
  demandOf,
  moderatorsOf,
  type PublishedKind,
} from '#features/cms/articles/shared/server/article-kind.ts'
import { oldSlugsOf, type SlugSpace } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Database, Db } from '#server/db/db.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'
import { conditionsOf, findPage, handledElsewhere, matchesSearch, whereAll } from '#server/record/list.ts'

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

type Faqs = SelectQueryBuilder<Database & { f: Database['faqs'] }, 'f', {}>

const shown = (matches: Faqs, viewer: Viewer) =>
  matches
    .innerJoin('article_categories as c', 'c.id', 'f.category_id')
    .innerJoin('staff as s', 's.id', 'f.author_id')
    .select(['f.id', ...selectOf(faqFields, 'f'), 'f.updated_at', 'f.version'])
    .select(['c.title as category_title', 'c.slug as category_slug'])
    .select(sql<FaqRow['author']>`json_build_object('id', s.id, 'slug', s.slug, 'name', s.name)`.as('author'))
    .select(
      sql<boolean>`exists(select from category_moderators m where m.category_id = f.category_id and m.staff_id = ${viewer.id})`.as(
        'moderated',
      ),
    )

/** Returns a page of FAQs, ordered by category, as in the tree of categories, and position. */
export function findFaqs(db: Db, filters: FaqFilters, viewer: Viewer, category_ids: readonly number[] = []) {
  let matches = whereAll(
    db.selectFrom('faqs as f').where('f.deleted_at', 'is', null),
    conditionsOf<FaqFilters>(filters, {
      category: handledElsewhere, // its ID is in `category_ids`
      search: (search) => matchesSearch('f.search', search),
      state: (state) => sql`f.published = ${state}`,
    }),
  )
  for (const id of category_ids) matches = matches.where('f.category_id', '=', id)
  return findPage(db, matches, filters.page, articlesPerPage, (of) => {
    // Categories come in order, and no more FAQs of each are read than fit on the pages up to this one, so
    // that a page doesn't sort all FAQs.
    const inOrder = db
      .selectFrom('article_categories as k')
      .where('k.kind', '=', 'faq')
      .leftJoin(faqCategoryTree.as('tree'), 'tree.id', 'k.id')
      .innerJoinLateral(
        of
          .selectAll('f')
          .whereRef('f.category_id', '=', sql.ref('k.id'))
          .orderBy('f.order_number')
          .orderBy('f.id')
          .limit(filters.page * articlesPerPage)
          .as('f'),
        (join) => join.onTrue(),
      )
    return shown(inOrder as unknown as Faqs, viewer)
      .orderBy('tree.path' as 'f.id')
      .orderBy('f.category_id')
      .orderBy('f.order_number')
      .orderBy('f.id')
  })
}

const own = (db: Db, id: number) =>
  db.selectFrom('faqs as f').where('f.id', '=', id).where('f.deleted_at', 'is', null)

/** @throws HttpError 404 */
export async function getFaqRow(db: Db, id: number, viewer: Viewer): Promise<FaqRow> {
  const row = await shown(own(db, id), viewer).executeTakeFirst()
  if (!row) throw notFound('FAQ not found.')
  return row
}

/** @throws HttpError 404 */
export async function getFaq(db: Db, id: number, viewer: Viewer, links: Links): Promise<Faq> {
  const row = await shown(own(db, id), viewer)
    .select([...selectOf(faqFields, 'f', 'detail'), 'f.created_at'])
    .executeTakeFirst()
  if (!row) throw notFound('FAQ not found.')
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
