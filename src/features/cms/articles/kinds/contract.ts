import { z } from 'zod'
import { articleKindNames, articleKindRow, hasPart, type ArticleKindName } from '#shared/article-kinds.ts'
import { endpoint } from '#shared/endpoint.ts'
import { detailsOf, inputsOf, repliesOf } from '#shared/field.ts'
import { recordId, text, wholeNumber } from '#shared/schemas.ts'
import { largestFile, recordFile } from '#shared/files.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, OperationRef } from '#shared/record.contract.ts'
import { partFieldsOf, type pdfFields, timeFields } from '#features/cms/articles/kinds/fields.ts'
import {
  Article,
  articleBytes,
  ArticleChange,
  articleFiles,
  ArticleRow,
  bySlug,
  NewArticle,
  productQuery,
  publishQuery,
  slugParam,
} from '#features/cms/articles/shared/contract.ts'

/*
 * The six endpoints of an article kind, built from the kind's row. A kind has the same fields as a post
 * except for category and tags, which are dropped if sent, plus the fields for the parts listed in its row.
 */

/** `author`: author ID; `state`: 1 published, 0 unpublished; `featured`: 1 for featured articles only. */
export const KindFilters = z.object({
  page: pageNumber.default(1),
  product_id: recordId.optional(),
  search: text(200).default(''),
  author: recordId.optional(),
  state: wholeNumber(0, 1).optional(),
  featured: wholeNumber(0, 1).optional(),
  column: z.enum(['id', 'title', 'starts', 'published_at', 'updated_at']).default('id'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export type KindFilters = z.output<typeof KindFilters>

type Sent = ReturnType<
  typeof z.object<
    ReturnType<typeof inputsOf<typeof timeFields>> & ReturnType<typeof inputsOf<typeof pdfFields>>
  >
>
/** Returns the fields that a kind adds to request bodies. */
const bodyFieldsOf = (name: ArticleKindName) =>
  z.object(inputsOf(partFieldsOf(name))).partial().shape as ReturnType<Sent['partial']>['shape']

/** Request body schemas for creating and changing an article of the given kind. */
export const newArticleOf = (name: ArticleKindName) => NewArticle.extend(bodyFieldsOf(name))
export const articleChangeOf = (name: ArticleKindName) => ArticleChange.extend(bodyFieldsOf(name))

const pdfFile = { pdf: { most: 1, maxBytes: largestFile, kinds: ['document'] } } as const
const filesOf = (name: ArticleKindName) =>
  ({ ...articleFiles, ...(hasPart(name, 'pdf') ? pdfFile : {}) }) as typeof articleFiles & typeof pdfFile

/** A list row; includes the start time and time zone if articles of this kind have them. */
export const KindRow = ArticleRow.extend({ ...repliesOf(timeFields) })
export type KindRow = z.output<typeof KindRow>

/** An article of a given kind, including the parts defined for that kind. */
export const KindArticle = Article.extend({
  ...repliesOf(timeFields),
  ...detailsOf(timeFields),
  pdf: recordFile.nullable().optional(),
})
export type KindArticle = z.output<typeof KindArticle>

const inPath = z.object({ slug: slugParam, productId: recordId })
const product = ['query.product_id'] as const
const productInPath = ['params.productId'] as const

/** Builds a kind's endpoints. */
export function articles(name: ArticleKindName) {
  const { one, many, key, newKey = key } = articleKindRow(name)
  const a = /^[aeio]/.test(one) ? 'an' : 'a'
  return {
    list: endpoint({
      method: 'GET',
      path: `/admin/${name}`,
      shows: [name],
      summary: `List a product’s ${many} with filters, 20 per page.`,
      access: key,
      product,
      query: KindFilters,
      response: listReply(KindRow),
    }),
    create: endpoint({
      method: 'POST',
      path: `/admin/${name}/create`,
      summary: `Create ${a} ${one} with the caller as its author.`,
      act: 'Created',
      access: newKey,
      product,
      query: productQuery,
      record: name,
      notFields: ['new_slug', 'remove_image'],
      body: newArticleOf(name),
      files: filesOf(name),
      maxBytes: articleBytes,
      response: z.object({ message: z.string(), data: KindArticle }),
    }),
    update: endpoint({
      method: 'PUT',
      path: `/admin/${name}/update/{slug}`,
      summary: `Update the given fields of ${a} ${one}. \`new_slug\` changes its slug; the old slug keeps working.`,
      act: 'Edited',
      access: key,
      product,
      params: bySlug,
      query: productQuery,
      record: name,
      notFields: ['new_slug', 'remove_image'],
      body: articleChangeOf(name),
      files: filesOf(name),
      maxBytes: articleBytes,
      response: changedReply(KindArticle),
    }),
    show: endpoint({
      method: 'GET',
      path: `/admin/${name}/{slug}/{productId}`,
      shows: [name],
      summary: `Get a product’s ${one} by slug, old slug, or ID.`,
      access: key,
      product: productInPath,
      params: inPath,
      response: z.object({ data: KindArticle }),
    }),
    remove: endpoint({
      method: 'DELETE',
      path: `/admin/${name}/delete/{slug}/{productId}`,
      summary: `Move ${a} ${one} to trash.`,
      act: 'Moved to trash',
      access: key,
      product: productInPath,
      params: inPath,
      response: ActReply,
    }),
    publishing: endpoint({
      method: 'POST',
      path: `/admin/${name}/publish/{slug}/{action}`,
      summary: `Publish or unpublish ${a} ${one}. Returns 404 unless the action is \`publish\` or \`unpublish\`.`,
      act: 'Changed publication status',
      access: key,
      product,
      params: bySlug.extend({ action: z.string().max(300) }),
      query: publishQuery,
      response: z.object({ message: z.string(), data: KindRow, operation: OperationRef.nullable() }),
    }),
  }
}

type Calls = ReturnType<typeof articles>

/** Endpoints by kind, built only once so that their identity is stable. */
const calls = Object.fromEntries(articleKindNames.map((name) => [name, articles(name)])) as Record<
  ArticleKindName,
  Calls
>
export const callsOf = (name: ArticleKindName): Calls => calls[name]

const pdfCall = (name: ArticleKindName) =>
  endpoint({
    method: 'GET',
    path: `/admin/${name}/{slug}/{productId}/pdf`,
    summary: `Get the PDF of a ${articleKindRow(name).one}. The URL stays the same when the file is replaced.`,
    access: articleKindRow(name).key,
    product: productInPath,
    params: inPath,
  })

const pdfs = new Map(articleKindNames.map((name) => [name, pdfCall(name)]))
/**
 * Returns the endpoint of an article's PDF, whose URL stays the same when the file is replaced or the article
 * renamed.
 */
export const pdfOf = (name: ArticleKindName) => pdfs.get(name)!
