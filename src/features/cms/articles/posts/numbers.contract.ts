import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { plainDay, recordId } from '#shared/schemas.ts'
import { periodId, Trend, type Days } from '#shared/trend.ts'

export const PostNumbers = z.object({
  /** Posts published in the period, without those that have been unpublished since. */
  published: Trend,
  unpublished: z.number().int(),
})
export type PostNumbers = z.output<typeof PostNumbers>

/** Filters of the lists that have exactly the posts of a number. */
export const postsCounted = {
  published: ({ from, to }: Days) => ({ published_from: from, published_to: to }),
  unpublished: { state: 0 },
} as const

export const postNumbers = {
  show: endpoint({
    method: 'GET',
    path: '/admin/post-numbers',
    shows: ['post'],
    summary:
      'Get the posts published in a period and the number of unpublished ones, for one product or all of the caller’s products.',
    access: 'all_posts_list',
    product: ['query.product_id'],
    query: z.object({ product_id: recordId.optional(), today: plainDay.optional(), period: periodId }),
    response: PostNumbers,
  }),
}
