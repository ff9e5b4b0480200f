import { articleKindNames, hasPart, type ArticleKindName } from '#shared/article-kinds.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, referencesOf, selectOf } from '#shared/field.ts'
import { articleFields } from '#features/cms/articles/shared/fields.ts'
import { announcesColumn } from '#features/cms/articles/announcing/server/announcing.queries.ts'
import { partFieldsOf, timeFields } from '#features/cms/articles/kinds/fields.ts'
import type { KindArticle, KindFilters, KindRow } from '#features/cms/articles/kinds/contract.ts'
import { articlesPerPage } from '#features/cms/articles/shared/contract.ts'
import { articleKind, imageField } from '#features/cms/articles/shared/server/article-kind.ts'
import {
  articleConditions,
  articlesOf,
  articleSorts,
  authorColumn,
} from '#features/cms/articles/shared/server/article-list.queries.ts'
import { oldSlugsOf } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'
import { readsOf, sortedBy } from '#server/record/reads.ts'

/** The record kind and the reads of a kind of article. */
function kindOf(name: ArticleKindName) {
  const timed = hasPart(name, 'time') ? selectOf(timeFields, 'r') : []
  const timedDetails = hasPart(name, 'time') ? selectOf(timeFields, 'r', 'detail') : []
  const kind = articleKind(name, {
    columns: columnsOf({ ...articleFields, ...partFieldsOf(name) }),
    references: referencesOf(articleFields),
    ...(hasPart(name, 'pdf') ? { files: { ...imageField, pdf_ids: { role: 'pdf', most: 1 } } } : {}),
  })
  const reads = readsOf<
    KindRow,
    KindFilters,
    Omit<KindArticle, keyof KindRow | 'image' | 'pdf' | 'old_slugs'>
  >({
    kind,
    columns: `r.id, r.product_id, ${[...selectOf(articleFields, 'r'), ...timed].join(', ')}, r.updated_at, r.version,
      ${announcesColumn}, ${authorColumn}`,
    details: `${[...selectOf(articleFields, 'r', 'detail'), ...timedDetails].join(', ')}, r.created_at, r.mail_id`,
    joins: 'join staff s on s.id = r.author_id',
    scope: articlesOf(name),
    conditions: articleConditions,
    order: sortedBy({ ...articleSorts, starts: 'r.starts' }, 'r.id', ['published_at']),
    perPage: articlesPerPage,
  })
  return { kind, reads }
}

export const articleKinds = Object.fromEntries(
  articleKindNames.map((name) => [name, kindOf(name)]),
) as Record<ArticleKindName, ReturnType<typeof kindOf>>

/** @throws HttpError 404 */
export async function getArticle(
  db: Db,
  kind: ArticleKindName,
  id: number,
  viewer: Viewer,
  links: Links,
): Promise<KindArticle> {
  const row = await articleKinds[kind].reads.whole(db, id, viewer)
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
