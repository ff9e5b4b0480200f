import { z } from 'zod'
import { articleKindNames, articleKindRow } from '#shared/article-kinds.ts'
import { anyOf, endpoint } from '#shared/endpoint.ts'
import { instant, recordId } from '#shared/schemas.ts'

/* Ways in which articles reach readers: the email sent on first publication, and the staff dashboard. */

const Shown = z.object({
  type: z.string(),
  id: z.number().int(),
  /** Path of the article's page in the panel. */
  address: z.string(),
  title: z.string(),
  short_description: z.string(),
  product_id: z.number().int(),
  published_at: instant,
})
export type Shown = z.output<typeof Shown>

const keys = [...new Set(articleKindNames.map((name) => articleKindRow(name).key))]

export const announcing = {
  subscribers: endpoint({
    method: 'GET',
    path: '/admin/articles/subscribers',
    summary: 'Count the subscribed customers an announcement for a product would reach.',
    access: anyOf('all_posts_list', ...keys),
    product: ['query.product_id'],
    query: z.object({ product_id: recordId }),
    response: z.object({ total: z.number().int() }),
  }),
  shown: endpoint({
    method: 'GET',
    path: '/admin/articles/shown-in-admin',
    summary:
      'List the newest published posts and articles marked “Show on dashboard” that the caller can view.',
    access: 'signed-in',
    product: ['query.product_id'],
    query: z.object({ product_id: recordId.optional() }),
    response: z.object({ data: z.array(Shown) }),
  }),
}
