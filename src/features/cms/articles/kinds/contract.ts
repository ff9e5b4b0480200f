import { z } from 'zod'
import { articleKindNames, articleKindRow, type ArticleKindName } from '#shared/article-kinds.ts'
import { endpoint } from '#shared/endpoint.ts'
import { recordId, text, wholeNumber } from '#shared/fields.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, OperationRef } from '#shared/record.contract.ts'
import {
  Article,
  articleBytes,
  ArticleChange,
  articleFiles,
  ArticleRow,
  bySlug,
  NewArticle,
  productQuery,
  slugParam,
} from '#features/cms/articles/shared/contract.ts'

/*
 * The six calls of a kind of article, from its row. A kind has the fields of a post but category and tags, which are dropped when they are sent.
 */

/** `author`: by id; `state`: 1 published, 0 not; `featured`: 1 those with the mark. */
export const KindFilters = z.object({
  page: pageNumber.default(1),
  product_id: recordId.optional(),
  search: text(200).default(''),
  author: recordId.optional(),
  state: wholeNumber(0, 1).optional(),
  featured: wholeNumber(0, 1).optional(),
  column: z.enum(['id', 'title', 'published_at', 'updated_at']).default('id'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export type KindFilters = z.output<typeof KindFilters>

const inPath = z.object({ slug: slugParam, productId: recordId })
const product = ['query.product_id'] as const
const productInPath = ['params.productId'] as const

/** The calls of a kind. */
export function articles(name: ArticleKindName) {
  const { one, many, key, newKey = key } = articleKindRow(name)
  const a = /^[aeio]/.test(one) ? 'an' : 'a'
  return {
    list: endpoint({
      method: 'GET',
      path: `/admin/${name}`,
      summary: `The ${many} of a product by filter, twenty to a page.`,
      access: key,
      product,
      query: KindFilters,
      response: listReply(ArticleRow),
    }),
    create: endpoint({
      method: 'POST',
      path: `/admin/${name}/create`,
      summary: `Creates ${a} ${one}; its author is who sends it.`,
      act: 'Created',
      access: newKey,
      product,
      query: productQuery,
      body: NewArticle,
      files: articleFiles,
      maxBytes: articleBytes,
      response: z.object({ message: z.string(), data: Article }),
    }),
    update: endpoint({
      method: 'PUT',
      path: `/admin/${name}/update/{slug}`,
      summary: `Changes what is sent of ${a} ${one}. \`new_slug\` gives it another address, the old one leads there.`,
      act: 'Edited',
      access: key,
      product,
      params: bySlug,
      query: productQuery,
      body: ArticleChange,
      files: articleFiles,
      maxBytes: articleBytes,
      response: changedReply(Article),
    }),
    show: endpoint({
      method: 'GET',
      path: `/admin/${name}/{slug}/{productId}`,
      summary: `Answers ${a} ${one} of a product by its address, an old address of it, or its id.`,
      access: key,
      product: productInPath,
      params: inPath,
      response: z.object({ data: Article }),
    }),
    remove: endpoint({
      method: 'DELETE',
      path: `/admin/${name}/delete/{slug}/{productId}`,
      summary: `Moves ${a} ${one} to the trash.`,
      act: 'Moved to the trash',
      access: key,
      product: productInPath,
      params: inPath,
      response: ActReply,
    }),
    publishing: endpoint({
      method: 'POST',
      path: `/admin/${name}/publish/{slug}/{action}`,
      summary: `Publishes ${a} ${one} or takes it back: \`publish\` or \`unpublish\`, else 404.`,
      act: 'Changed the publishing',
      access: key,
      product,
      params: bySlug.extend({ action: z.string().max(300) }),
      query: productQuery,
      response: z.object({ message: z.string(), data: ArticleRow, operation: OperationRef.nullable() }),
    }),
  }
}

type Calls = ReturnType<typeof articles>

/** The calls of all kinds; those of one are the same whoever asks. */
const calls = Object.fromEntries(articleKindNames.map((name) => [name, articles(name)])) as Record<ArticleKindName, Calls>
export const callsOf = (name: ArticleKindName): Calls => calls[name]
