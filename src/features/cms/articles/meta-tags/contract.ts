import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, recordId, text } from '#shared/schemas.ts'

const texts = z.object({
  category_title: text(200),
  category_meta_title: text(300),
  category_meta_description: text(1000),
  category_meta_keyword: text(1000),
  category_description: text(10_000),
  faq_title: text(200),
  faq_meta_title: text(300),
  faq_meta_description: text(1000),
  faq_meta_keyword: text(1000),
  faq_description: text(10_000),
})
export const MetaTagChange = texts.partial()
const MetaTag = texts.extend({
  id: z.number().int(),
  updated_at: instant.nullable(),
  updated_by_name: z.string().nullable(),
})
export type MetaTag = z.output<typeof MetaTag>

const shape = {
  path: '/admin/metatag/{id}',
  access: 'tag_setting_list',
  product: ['params.id'],
  params: z.object({ id: recordId }),
} as const

export const metaTags = {
  show: endpoint({
    ...shape,
    method: 'GET',
    shows: ['meta-tags'],
    summary: 'Get the meta tags of category and FAQ pages. `id` is the product ID (docs/spec-gaps.md G140).',
    response: z.object({ data: MetaTag }),
  }),
  update: endpoint({
    ...shape,
    method: 'PUT',
    summary: 'Update the given meta tags.',
    act: 'Changed meta tags',
    body: MetaTagChange,
    response: z.object({ message: z.string(), data: MetaTag }),
  }),
}
