import { sql, type SelectQueryBuilder } from 'kysely'
import { hasPart, type ArticleKindName } from '#shared/article-kinds.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { selectOf } from '#shared/field.ts'
import { articleFields } from '#features/cms/articles/shared/fields.ts'
import { announces } from '#features/cms/articles/announcing/server/announcing.queries.ts'
import { timeFields } from '#features/cms/articles/kinds/fields.ts'
import type { KindArticle, KindFilters, KindRow } from '#features/cms/articles/kinds/contract.ts'
import { articlesPerPage, type Article } from '#features/cms/articles/shared/contract.ts'
import {
  articleConditions,
  articlesOf,
  orderOf,
} from '#features/cms/articles/shared/server/article-list.queries.ts'
import { oldSlugsOf } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Database, Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import { filesOf, type Links } from '#server/files/record-files.ts'
import { conditionsOf, findPage, whereAll } from '#server/record/list.ts'

const sorts = {
  id: 'a.id',
  title: 'a.search',
  starts: 'a.starts',
  published_at: 'a.published_at',
  updated_at: 'a.updated_at',
} as const

type Rows = SelectQueryBuilder<Database & { a: Database['articles'] }, 'a', {}>

const shown = (matches: Rows, kind: ArticleKindName) =>
  matches
    .innerJoin('staff as s', 's.id', 'a.author_id')
    .select(['a.id', 'a.product_id', ...selectOf(articleFields, 'a'), 'a.updated_at', 'a.version'])
    .select(announces.as('announces'))
    .select(
      sql<Article['author']>`json_build_object('id', s.id, 'slug', s.slug, 'name', s.name)`.as('author'),
    )
    .$if(hasPart(kind, 'time'), (of) => of.select(selectOf(timeFields, 'a')))

/** Returns a page of articles of the given kind. */
export function findArticles(db: Db, kind: ArticleKindName, filters: KindFilters, viewer: Viewer) {
  const { product_id, page, column, direction } = filters
  const matches = whereAll(
    articlesOf(db, kind, product_id, viewer),
    conditionsOf<KindFilters>(filters, articleConditions),
  )
  return findPage(db, matches, page, articlesPerPage, (of) =>
    shown(of, kind).orderBy(sorts[column], orderOf(filters)).orderBy('a.id', direction),
  )
}

const own = (db: Db, kind: ArticleKindName, id: number) =>
  db
    .selectFrom('articles as a')
    .where('a.id', '=', id)
    .where('a.kind', '=', kind)
    .where('a.deleted_at', 'is', null)

/** @throws HttpError 404 */
export async function getArticleRow(db: Db, kind: ArticleKindName, id: number): Promise<KindRow> {
  const row = await shown(own(db, kind, id), kind).executeTakeFirst()
  if (!row) throw notFound('Article not found.')
  return row
}

/** @throws HttpError 404 */
export async function getArticle(
  db: Db,
  kind: ArticleKindName,
  id: number,
  links: Links,
): Promise<KindArticle> {
  const row = await shown(own(db, kind, id), kind)
    .select([...selectOf(articleFields, 'a', 'detail'), 'a.created_at', 'a.mail_id'])
    .$if(hasPart(kind, 'time'), (of) => of.select(selectOf(timeFields, 'a', 'detail')))
    .executeTakeFirst()
  if (!row) throw notFound('Article not found.')
  const [files, old_slugs] = await Promise.all([filesOf(db, kind, [id], links), oldSlugsOf(db, kind, id)])
  const first = (role: string) => files.get(id)?.find((file) => file.role === role) ?? null
  return { ...row, image: first('image'), ...(hasPart(kind, 'pdf') ? { pdf: first('pdf') } : {}), old_slugs }
}

/**
 * Returns an article's stored PDF.
 * @throws HttpError 404
 */
export async function getPdf(db: Db, kind: ArticleKindName, id: number) {
  const file = await db
    .selectFrom('file_links as l')
    .innerJoin('files as f', 'f.id', 'l.file_id')
    .select(['f.id', 'f.name', 'f.kind', 'f.mime', 'f.stored_name', 'f.small_name'])
    .where('l.record_type', '=', kind)
    .where('l.record_id', '=', id)
    .where('l.role', '=', 'pdf')
    .where('l.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!file) throw notFound('PDF not found.')
  return file
}
